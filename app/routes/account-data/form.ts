import { z } from "zod/v4";

export const deletionForm = z.object({ confirm: z.literal("on", "deletion_missing") });
