import { z } from "zod/v4";
import { nameForm } from "~/forms/name";
import { arePasswordsEqual, newPassword, differentPasswords } from "~/forms/new-password";
import { uid } from "~/contract/primitives";
import { text } from "~/contract/text";

/** Only the platform checks the current password: the rules may have changed since it was chosen. */
export const passwordForm = z
  .object({ currentPassword: text.max(200), ...newPassword })
  .refine(arePasswordsEqual, differentPasswords);

export const sessionForm = z.object({ session: uid });

export const endSessionsForm = z.object({});

export const schemas = [nameForm, passwordForm, sessionForm, endSessionsForm];

/** The forms of this page. The pressed button names the form. */
export const formNames = ["name", "password", "end-session", "end-sessions"] as const;
export type FormName = (typeof formNames)[number];
