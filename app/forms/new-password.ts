import { password } from "~/contract/primitives";
import { text } from "~/contract/text";

/** A new password, typed twice. A difference is shown at the second field. */
export const newPassword = { password, passwordConfirmation: text };

type TypedPasswords = { password: string; passwordConfirmation: string };

export const arePasswordsEqual = (typed: TypedPasswords) =>
  typed.password === typed.passwordConfirmation;

export const differentPasswords = { path: ["passwordConfirmation"], message: "different" };
