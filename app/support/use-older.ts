import { useFetcher } from "@remix-run/react";
import { useEffect, useRef, useState, type RefObject } from "react";
import type { MessageWords } from "./message-words.server";
import type { ThreadData } from "./thread.server";

type Older = {
  /** Cursor of the messages before, null at the beginning of the thread. */
  first: string | null;
  hrefOf: (cursor: string) => string;
  onMessages: (messages: readonly MessageWords[]) => void;
  /** The list they join. */
  list: RefObject<HTMLElement>;
};

/** Older messages, loaded above the ones read; these keep their place on the screen. */
export function useOlder({ first, hrefOf, onMessages, list }: Older) {
  const { load, data, state } = useFetcher<{ thread: ThreadData }>();
  const [cursor, setCursor] = useState(first);
  const held = useRef<{ item: Element; top: number } | null>(null);
  const receive = useRef(onMessages);
  receive.current = onMessages;
  useEffect(() => {
    if (!data) return;
    hush(list.current);
    const item = list.current?.firstElementChild;
    held.current = item ? { item, top: item.getBoundingClientRect().top } : null;
    receive.current(data.thread.messages);
    setCursor(data.thread.older);
    // The link that was pressed is about to go.
    if (!data.thread.older) list.current?.focus({ preventScroll: true });
  }, [data, list]);
  useEffect(() => {
    if (!held.current) return;
    const { item, top } = held.current;
    // Zero where the browser holds the place by itself.
    window.scrollBy(0, item.getBoundingClientRect().top - top);
    if (item.previousElementSibling) held.current = null;
  });
  return {
    href: cursor && hrefOf(cursor),
    busy: state !== "idle",
    load: () => cursor && load(hrefOf(cursor)),
  };
}

const HUSH_MS = 1_000;

/** Screen readers read out what joins a log: new messages, but not old ones that were asked for. */
function hush(list: HTMLElement | null) {
  const log = list?.closest("[role=log]");
  log?.setAttribute("aria-live", "off");
  setTimeout(() => log?.removeAttribute("aria-live"), HUSH_MS);
}
