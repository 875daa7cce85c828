import { z } from "zod/v4";
import { personName } from "~/contract/subscriptions";

export const nameForm = z.object({ name: personName });
