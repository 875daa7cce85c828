import { z } from "zod/v4";
import { knownEmail } from "~/contract/primitives";
import { text } from "~/contract/text";
import { CARRIED_FIELD } from "~/forms/carried";
import type { FormReply } from "~/forms/refuse.server";
import type { CarriedForm } from "~/session/carried.server";

/** Only the platform checks the password: the rules may have changed since it was chosen. */
export const loginForm = z.object({ email: knownEmail, password: text.max(200) });

/** The sealed earlier form. It is taken out before the credentials are parsed. */
export const carriedForm = z.object({ [CARRIED_FIELD]: text });

/** What was written on a page that is not open to its writer any more. */
export type UnsentTexts = Record<"subject" | "message", string>;

export type LoginReply = FormReply & {
  unsent?: UnsentTexts;
  /** What was sent before, sealed; null when it could not be kept. */
  carried?: string | null;
  /** The earlier form, after signing in: it can continue. */
  resume?: CarriedForm;
};
