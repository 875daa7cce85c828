import { formatWait } from "./format";
import { translate } from "./i18n.server";

/** `isBusy`: a full queue refused, not a limit. */
export type RefusedReads = { seconds: number; isBusy: boolean };

/** Says what could not be read and, after a limit or a full queue, when to try again. */
export function unreadWords(text: string, refused: RefusedReads | null): string {
  if (refused === null) return text;
  const key = refused.isBusy ? "busy" : "limited";
  return `${text} ${translate("flash", key, { wait: formatWait(refused.seconds) })}`;
}
