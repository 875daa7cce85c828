import type { Message } from "~/contract/support";
import { partsOf } from "./parts.server";

export type MessageWords = ReturnType<typeof messageWords>;

/** @param mine whether the person wrote it (`ownMessages`) */
export function messageWords({ uid, date, content, contact }: Message, mine: boolean) {
  return { uid, date, author: contact.name, mine, parts: partsOf(content) };
}
