import { z } from "zod/v4";
import { knownEmail } from "~/contract/primitives";

export const linkForm = z.object({ email: knownEmail });
