import Bowser from "bowser";
import { translate } from "./i18n.server";

/** A readable device name from the user agent: `Firefox, Android`. */
export function deviceWords(userAgent: string | null): string {
  const unknown = translate("account", "sessions.unknownDevice");
  if (!userAgent) return unknown;
  const { browser, os } = Bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(", ") || unknown;
}
