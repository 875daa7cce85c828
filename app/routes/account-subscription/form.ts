import { z } from "zod/v4";

/** The box must be ticked, because a stop cannot be undone. */
export const stopForm = z.object({ confirm: z.literal("on") });
