import { z } from "zod/v4";
import { password } from "~/contract/primitives";

/** A new password, typed twice; the second one carries the fault. */
export const newPassword = { password, passwordConfirmation: z.string() };

type Typed = { password: string; passwordConfirmation: string };

export const areAlike = (typed: Typed) => typed.password === typed.passwordConfirmation;

export const unlike = { path: ["passwordConfirmation"], message: "different" };
