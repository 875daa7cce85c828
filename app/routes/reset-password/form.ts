import { z } from "zod/v4";
import { knownEmail } from "~/contract/primitives";

export const requestForm = z.object({ email: knownEmail });
