import { useCallback, useEffect, useState } from "react";

type WithUid = { uid: string };

/** The messages of a thread, which grows at both ends. No message appears twice. */
export function useMessages<M extends WithUid>(loaded: readonly M[]) {
  const [messages, setMessages] = useState(loaded);
  const prepend = useCallback(
    (older: readonly M[]) => setMessages((known) => [...withoutKnown(older, known), ...known]),
    [],
  );
  const append = useCallback(
    (newer: readonly M[]) => setMessages((known) => [...known, ...withoutKnown(newer, known)]),
    [],
  );
  // Each reload of the page's data may bring new messages.
  useEffect(() => append(loaded), [append, loaded]);
  return { messages, prepend, append };
}

const withoutKnown = <M extends WithUid>(some: readonly M[], known: readonly M[]) =>
  some.filter(({ uid }) => !known.some((message) => message.uid === uid));
