import type { Trimmed } from "../support/append-message";
import { isDeviceLine } from "./cut/signature";
import type { MailBody } from "./mail";

/** What is kept. The rest of a mail is longer only where somebody passes on long mails. */
const MAX_LENGTH = 20_000;

/**
 * What was cut from a mail, as the thread shows it folded: no text of a mail is lost. Null where nothing was cut but the
 * line of a phone. Secrets of mailed links are left out (R-10.13): a quoted mail may hold any.
 */
export function restOf({ cut, isShort }: Pick<MailBody, "cut" | "isShort">): Trimmed | null {
  const lines = cut.join("\n\n").split("\n");
  const isTyped = lines.some((line) => line.trim() !== "" && !isDeviceLine(line));
  if (!isTyped) return isShort ? { text: "…", isShort } : null;
  const text = beginningOf(lines.join("\n"));
  const isCut = text.length < lines.join("\n").trimEnd().length;
  return { text: withoutSecrets(text), isShort: isShort || isCut };
}

/** Characters are never cut in half. */
const beginningOf = (text: string) =>
  text
    .slice(0, MAX_LENGTH)
    .replace(/\p{Cs}/gu, "\ufffd")
    .trimEnd();

/** Keeps where a link leads, and drops what follows `?` or `#`; a part that was broken off it is masked as well. */
const withoutSecrets = (text: string) => text.replace(/\S+/g, maskWord);

function maskWord(word: string): string {
  const address = word.indexOf("://");
  if (address < 0) return word.replace(LONG_RUN, maskRun);
  const query = word.slice(address).search(/[?#]/);
  const kept = query < 0 ? word : `${word.slice(0, address + query)}?…`;
  return kept.replace(LONG_RUN, maskRun);
}

/** Secrets of links have 43 such characters: of one that is broken over two lines, one part has so many. */
const LONG_RUN = /[\w-]{20,}/g;
const UID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

const maskRun = (run: string) => (/\d/.test(run) && !UID.test(run) ? "…" : run);
