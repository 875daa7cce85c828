import { z } from "zod/v4";
import { email } from "~/contract/primitives";
import { text } from "~/contract/text";
import { CARRIED_FIELD } from "~/forms/carried";
import type { FormReply } from "~/forms/refuse.server";
import type { CarriedForm } from "~/session/carried.server";

/** Only the platform checks the password: the rules may have changed since it was chosen. */
export const loginForm = z.object({ email, password: text.max(200) });

/** The sealed earlier form. It is taken out before the credentials are parsed. */
export const carriedForm = z.object({ [CARRIED_FIELD]: text });

export type LoginReply = FormReply & {
  /** The sealed earlier form. Null when it could not be kept. */
  carried?: string | null;
  /** The earlier form, after signing in: it can continue. */
  resume?: CarriedForm;
};
