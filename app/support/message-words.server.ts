import type { Message } from "~/contract/support";
import { partsOf } from "./parts.server";

export type MessageWords = ReturnType<typeof messageWords>;

export function messageWords({ uid, date, content, contact, author }: Message) {
  return { uid, date, author: contact.name, mine: author !== "coach", parts: partsOf(content) };
}
