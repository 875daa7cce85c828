import { password } from "~/contract/primitives";
import { text } from "~/contract/text";

/** A new password, typed twice; the second one carries the fault. */
export const newPassword = { password, passwordConfirmation: text };

type Typed = { password: string; passwordConfirmation: string };

export const areAlike = (typed: Typed) => typed.password === typed.passwordConfirmation;

export const unlike = { path: ["passwordConfirmation"], message: "different" };
