import Bowser from "bowser";
import { LRUCache } from "lru-cache";
import { translate } from "./i18n.server";

/** Many people have the same browser, and to read its name takes 200 expressions. */
const names = new LRUCache<string, string>({ max: 500, memoMethod: readName });

/** A readable device name from the user agent: `Firefox, Android`. */
export function deviceWords(userAgent: string | null): string {
  return (userAgent && names.memo(userAgent)) || translate("account", "sessions.unknownDevice");
}

function readName(userAgent: string): string {
  const { browser, os } = Bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(", ");
}
