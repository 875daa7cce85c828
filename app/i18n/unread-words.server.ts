import { formatWait } from "~/ui/format";
import { translate } from "./i18n.server";

/** Says what could not be read and, after a limit, how long to wait. `seconds` is null without one. */
export function unreadWords(text: string, seconds: number | null): string {
  if (seconds === null) return text;
  return `${text} ${translate("flash", "limited", { wait: formatWait(seconds) })}`;
}
