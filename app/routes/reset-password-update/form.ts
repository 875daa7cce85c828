import { z } from "zod/v4";
import { text } from "~/contract/text";
import { arePasswordsEqual, newPassword, differentPasswords } from "~/forms/new-password";

/** The form carries the secret of the mailed link. Only the post uses it up. */
export const updateForm = z
  .object({ ...newPassword, token: text.min(1).max(512) })
  .refine(arePasswordsEqual, differentPasswords);
