import { useFetcher } from "@remix-run/react";
import { useEffect, useRef, useState, type RefObject } from "react";
import { isSiteReachable } from "~/api/reachable";

/** Messages of a thread, and the cursor of the messages before them. */
export type ThreadPart<M> = { messages: readonly M[]; older: string | null };

type Older<Data, M> = {
  /** Cursor of the older messages. Null at the beginning of the thread. */
  first: string | null;
  hrefOf: (cursor: string) => string;
  /**
   * Finds the messages in the data of `hrefOf`'s page. The function must be the same at each
   * render.
   */
  partOf: (data: Data) => ThreadPart<M> | null;
  onMessages: (messages: readonly M[]) => void;
  /** The list that shows the messages. */
  list: RefObject<HTMLElement>;
};

/** A network that swallows everything answers nothing, not even with a failure. */
const REACHED_MS = 10_000;

/** Loads older messages above the shown ones, which keep their place on the screen. */
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
  // After a post the router also reloads this fetcher. Only loads that the person asked for count.
  const isAsked = useRef(false);
  const isPressed = useRef(false);
  const [isReaching, setReaching] = useState(false);
  useEffect(() => {
    if (!data || !isAsked.current) return;
    isAsked.current = false;
    // The cast is safe: this fetcher loads only the page of `hrefOf`, whose data `partOf` expects.
    const part = partOf(data as Data);
    setFailed(part === null);
    if (part === null) return;
    silenceLog(list.current);
    const item = list.current?.firstElementChild;
    anchor.current = item ? { item, top: item.getBoundingClientRect().top } : null;
    const { messages, older } = part;
    receive.current(messages);
    setCursor(older);
    // The pressed link disappears, so the focus moves to the list.
    if (!older) list.current?.focus({ preventScroll: true });
  }, [data, list, partOf]);
  useEffect(() => {
    if (!anchor.current) return;
    const { item, top } = anchor.current;
    // Zero where the browser anchors the scroll position itself.
    window.scrollBy(0, item.getBoundingClientRect().top - top);
    if (item.previousElementSibling) anchor.current = null;
  });
  return {
    href: cursor && hrefOf(cursor),
    busy: isReaching || state !== "idle",
    failed,
    load: async () => {
      // A second press would load the same messages again and move the focus after the person has.
      if (!cursor || isPressed.current || isAsked.current) return;
      isPressed.current = true;
      setReaching(true);
      isAsked.current = await isSiteReachable(AbortSignal.timeout(REACHED_MS));
      if (isAsked.current) load(hrefOf(cursor));
      setReaching(false);
      isPressed.current = false;
    },
  };
}

const SILENCE_MS = 1_000;

/**
 * Screen readers announce additions to a log. Older messages were asked for and need no
 * announcement.
 */
function silenceLog(list: HTMLElement | null) {
  const log = list?.closest("[role=log]");
  log?.setAttribute("aria-live", "off");
  setTimeout(() => log?.removeAttribute("aria-live"), SILENCE_MS);
}
