import { z } from "zod/v4";

export const deletionForm = z.object({
  confirm: z.literal("on", "deletion_missing"),
  /** The answer to an earlier one was lost. */
  lost: z.literal("1").optional(),
});
