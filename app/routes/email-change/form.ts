import { z } from "zod/v4";
import { email } from "~/contract/primitives";
import { text } from "~/contract/text";

/** Only the platform checks the current password: the rules may have changed since it was chosen. */
export const emailForm = z.object({ newEmail: email, currentPassword: text.min(1).max(200) });
