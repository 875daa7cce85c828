import { z } from "zod/v4";
import { email } from "~/contract/primitives";

export const linkForm = z.object({ email });
