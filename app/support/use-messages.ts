import { useState } from "react";
import type { MessageWords } from "./message-words.server";

type Added = { before: MessageWords[]; after: MessageWords[] };

/** A thread as it grows at both ends; no message stands twice. */
export function useMessages(first: readonly MessageWords[]) {
  const [{ before, after }, setAdded] = useState<Added>({ before: [], after: [] });
  const all = new Map([...before, ...first, ...after].map((message) => [message.uid, message]));
  return {
    messages: [...all.values()],
    prepend: (older: readonly MessageWords[]) =>
      setAdded((added) => ({ ...added, before: [...older, ...added.before] })),
    append: (newer: readonly MessageWords[]) =>
      setAdded((added) => ({ ...added, after: [...added.after, ...newer] })),
  };
}
