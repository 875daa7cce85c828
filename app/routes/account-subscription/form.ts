import { z } from "zod/v4";

/** The box must be ticked: stopping cannot be taken back. */
export const stopForm = z.object({ confirm: z.literal("on") });
