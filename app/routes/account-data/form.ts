import { z } from "zod/v4";

/** Takes the consent to the handling of sensitive information back. */
export const takeBackForm = z.object({ erase: z.literal("on").optional() });

/** Erases the discussions that are left. */
export const erasureForm = z.object({ erase: z.literal("on") });

export const deletionForm = z.object({
  confirm: z.literal("on", "deletion_missing"),
  /** The answer to an earlier one was lost. */
  lost: z.literal("1").optional(),
});
