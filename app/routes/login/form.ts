import { z } from "zod/v4";
import { email } from "~/contract/primitives";

/** A password is checked by the platform alone: its form may have changed since it was chosen. */
export const loginForm = z.object({ email, password: z.string().max(200) });
