import { z } from "zod/v4";
import { text } from "~/contract/text";
import { arePasswordsEqual, newPassword, differentPasswords } from "~/forms/new-password";

/** The secret of the mailed link travels in the form: only its post uses it up. */
export const updateForm = z
  .object({ ...newPassword, token: text.min(1).max(512) })
  .refine(arePasswordsEqual, differentPasswords);
