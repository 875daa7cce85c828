import type { Message } from "~/contract/support";
import { partsOf } from "./parts.server";

export type MessageWords = ReturnType<typeof messageWords>;

/** @param mine whether the person wrote it (`ownMessages`) */
export function messageWords(message: Message, mine: boolean) {
  const { uid, date, content, contact } = message;
  return {
    uid,
    date,
    author: contact.name,
    mine,
    parts: partsOf(content),
    trimmed: trimmedWords(message),
  };
}

/** What was cut from a reply by mail, and whether it is only the beginning. */
export const trimmedWords = ({ trimmed, isTrimmedShort }: Message) =>
  trimmed ? { text: trimmed, isShort: Boolean(isTrimmedShort) } : undefined;
