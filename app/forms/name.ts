import { z } from "zod/v4";
import { personName } from "~/contract/subscriptions";

/** First name or nickname in coaching, kept in the profile. */
export const nameForm = z.object({ name: personName });
