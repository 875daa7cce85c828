import { z } from "zod/v4";
import { email, password } from "~/contract/primitives";
import { idempotencyKey } from "~/contract/subscriptions";

export const registrationForm = z.object({
  email,
  password,
  terms: z.literal("on"),
  idempotencyKey: idempotencyKey.optional(),
});

/** Somebody signed in only goes on to the bank. */
export const emptyForm = z.object({});
