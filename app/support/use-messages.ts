import { useCallback, useEffect, useState } from "react";
import type { MessageWords } from "./message-words.server";

type Messages = readonly MessageWords[];

/** A thread as it grows at both ends; no message stands twice. */
export function useMessages(loaded: Messages) {
  const [messages, setMessages] = useState(loaded);
  const prepend = useCallback(
    (older: Messages) => setMessages((known) => [...unknown(older, known), ...known]),
    [],
  );
  const append = useCallback(
    (newer: Messages) => setMessages((known) => [...known, ...unknown(newer, known)]),
    [],
  );
  // The page looks its thread up anew after each reply.
  useEffect(() => append(loaded), [append, loaded]);
  return { messages, prepend, append };
}

const unknown = (some: Messages, known: Messages) =>
  some.filter(({ uid }) => !known.some((message) => message.uid === uid));
