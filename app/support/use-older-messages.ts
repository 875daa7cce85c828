import { useFetcher } from "@remix-run/react";
import { useEffect, useRef, useState, type RefObject } from "react";
import { isSiteReachable } from "~/api/reachable";

/** A part of a thread, and the cursor of the messages before it. */
export type ThreadPart<M> = { messages: readonly M[]; older: string | null };

type Older<Data, M> = {
  /** Cursor of the messages before, null at the beginning of the thread. */
  first: string | null;
  hrefOf: (cursor: string) => string;
  /** The part in what the page of `hrefOf` loads; it must not change between two renderings. */
  partOf: (data: Data) => ThreadPart<M> | null;
  onMessages: (messages: readonly M[]) => void;
  /** The list they join. */
  list: RefObject<HTMLElement>;
};

/** Older messages, loaded above the ones read; these keep their place on the screen. */
export function useOlderMessages<Data, M>({
  first,
  hrefOf,
  partOf,
  onMessages,
  list,
}: Older<Data, M>) {
  const { load, data, state } = useFetcher();
  const [cursor, setCursor] = useState(first);
  const [failed, setFailed] = useState(false);
  const anchor = useRef<{ item: Element; top: number } | null>(null);
  const receive = useRef(onMessages);
  receive.current = onMessages;
  // The router looks up anew what was loaded before, when something is sent: that was not asked for.
  const isAsked = useRef(false);
  useEffect(() => {
    if (!data || !isAsked.current) return;
    isAsked.current = false;
    const part = partOf(data as Data);
    setFailed(part === null);
    if (part === null) return;
    silenceLog(list.current);
    const item = list.current?.firstElementChild;
    anchor.current = item ? { item, top: item.getBoundingClientRect().top } : null;
    const { messages, older } = part;
    receive.current(messages);
    setCursor(older);
    // The link that was pressed is about to go.
    if (!older) list.current?.focus({ preventScroll: true });
  }, [data, list, partOf]);
  useEffect(() => {
    if (!anchor.current) return;
    const { item, top } = anchor.current;
    // Zero where the browser holds the place by itself.
    window.scrollBy(0, item.getBoundingClientRect().top - top);
    if (item.previousElementSibling) anchor.current = null;
  });
  return {
    href: cursor && hrefOf(cursor),
    busy: state !== "idle",
    failed,
    load: async () => {
      if (!cursor || !(await isSiteReachable())) return;
      isAsked.current = true;
      load(hrefOf(cursor));
    },
  };
}

const SILENCE_MS = 1_000;

/** Screen readers read out what joins a log: new messages, but not old ones that were asked for. */
function silenceLog(list: HTMLElement | null) {
  const log = list?.closest("[role=log]");
  log?.setAttribute("aria-live", "off");
  setTimeout(() => log?.removeAttribute("aria-live"), SILENCE_MS);
}
