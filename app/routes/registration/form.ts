import { z } from "zod/v4";
import { email, password } from "~/contract/primitives";
import { idempotencyKey } from "~/contract/subscriptions";

export const registrationForm = z.object({
  email,
  password,
  terms: z.literal("on"),
  idempotencyKey: idempotencyKey.optional(),
});

/** A signed-in visitor sends no fields. */
export const emptyForm = z.object({});

/** Deletes the account, and is confirmed like any deletion. `lost`: the answer to an earlier one was lost. */
export const restartForm = z.object({
  confirm: z.literal("on", "deletion_missing"),
  lost: z.literal("1").optional(),
});
