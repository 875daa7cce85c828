import { useCallback, useEffect, useState } from "react";

type WithUid = { uid: string };

/** A thread as it grows at both ends; no message stands twice. */
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
  // The page looks its thread up anew after each reply, and now and then.
  useEffect(() => append(loaded), [append, loaded]);
  return { messages, prepend, append };
}

const withoutKnown = <M extends WithUid>(some: readonly M[], known: readonly M[]) =>
  some.filter(({ uid }) => !known.some((message) => message.uid === uid));
