import { z } from "zod/v4";
import { personName } from "~/contract/subscriptions";

/** First name or nickname for coaching. It is stored in the profile. */
export const nameForm = z.object({ name: personName });
