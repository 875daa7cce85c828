import { z } from "zod/v4";
import { email, password } from "~/contract/primitives";

export const registrationForm = z.object({ email, password, terms: z.literal("on") });

/** Somebody signed in only goes on to the bank. */
export const continuation = z.object({});
