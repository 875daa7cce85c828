import { useFetcher } from "@remix-run/react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { MessageWords } from "./message-words.server";
import type { ThreadData } from "./thread.server";

/** Older messages, loaded above the ones read; these keep their place on the screen. */
export function useOlder(
  first: string | null,
  hrefOf: (cursor: string) => string,
  onMessages: (messages: readonly MessageWords[]) => void,
) {
  const { load, data, state } = useFetcher<{ thread: ThreadData }>();
  const [cursor, setCursor] = useState(first);
  const height = useRef<number | null>(null);
  const receive = useRef(onMessages);
  receive.current = onMessages;
  useEffect(() => {
    if (!data) return;
    height.current = document.documentElement.scrollHeight;
    receive.current(data.thread.messages);
    setCursor(data.thread.older);
  }, [data]);
  useLayoutEffect(() => {
    if (height.current === null) return;
    window.scrollBy(0, document.documentElement.scrollHeight - height.current);
    height.current = null;
  });
  return {
    href: cursor && hrefOf(cursor),
    busy: state !== "idle",
    load: () => cursor && load(hrefOf(cursor)),
  };
}
