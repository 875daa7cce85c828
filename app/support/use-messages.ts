import { useCallback, useEffect, useState } from "react";

type WithUid = { uid: string };

/** The messages of a thread, which grows at both ends. No message appears twice. */
export function useMessages<M extends WithUid>(loaded: readonly M[]) {
  const [messages, setMessages] = useState(loaded);
  const prepend = useCallback(
    (older: readonly M[]) => setMessages((known) => [...without(known, older), ...known]),
    [],
  );
  const append = useCallback(
    (newer: readonly M[]) => setMessages((known) => [...known, ...without(known, newer)]),
    [],
  );
  // Each reload of the page's data may bring new messages.
  useEffect(() => setMessages((known) => mergeLoaded(known, loaded)), [loaded]);
  return { messages, prepend, append };
}

/**
 * The known messages and those of a reload, in the order of the reload: an own message that was sent meanwhile
 * may have been appended before an earlier one arrived. What the reload lacks is older than all of it, or newer.
 */
export function mergeLoaded<M extends WithUid>(known: readonly M[], loaded: readonly M[]): M[] {
  const uids = new Set(loaded.map(({ uid }) => uid));
  const first = known.findIndex(({ uid }) => uids.has(uid));
  const older = first === -1 ? known : known.slice(0, first);
  const newer = first === -1 ? [] : without(loaded, known.slice(first));
  return [...older, ...loaded, ...newer];
}

/** Those of `some` that are not among `known`. */
const without = <M extends WithUid>(known: readonly M[], some: readonly M[]) =>
  some.filter(({ uid }) => !known.some((message) => message.uid === uid));
