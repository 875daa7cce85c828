import { useFetcher, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { MessageWords } from "./message-words.server";
import { isSiteReachable } from "~/api/reachable";
import type { ReadResult } from "~/api/read-result";
import type { ThreadData } from "./thread.server";

const POLL_MS = 20_000;

type NewMessages = {
  /** False when there is nothing to come: the thread is gone. */
  isActive: boolean;
  /** The thread's page and its stream of new messages. */
  page: string;
  events: string;
  since: string | undefined;
  onMessages: (messages: readonly MessageWords[]) => void;
};

/** Delivers new messages by server-sent events, or by polling where those fail. */
export function useNewMessages({ isActive, page, events, since, onMessages }: NewMessages) {
  const [broken, setBroken] = useState(false);
  const last = useRef(since);
  last.current = since;
  const receive = useRef(onMessages);
  receive.current = onMessages;
  useEffect(() => {
    if (!isActive) return undefined;
    const source = new EventSource(withSince(events, last.current));
    // The cast is safe: our own server wrote the event (`threadEvents`).
    source.onmessage = ({ data }) => receive.current(JSON.parse(String(data)) as MessageWords[]);
    source.onerror = () => setBroken(source.readyState === EventSource.CLOSED);
    return () => source.close();
  }, [isActive, events]);
  usePolling({ active: isActive && broken, page, last, receive });
}

type Polling = {
  active: boolean;
  page: string;
  last: { current: string | undefined };
  receive: { current: NewMessages["onMessages"] };
};

function usePolling({ active, page, last, receive }: Polling) {
  const { revalidate } = useRevalidator();
  const { load, data } = useFetcher<{ thread: ReadResult<ThreadData> }>();
  useEffect(() => {
    if (!active) return undefined;
    const loadNewMessages = () => load(withSince(page, last.current));
    const timer = setInterval(() => {
      void isSiteReachable().then((reachable) => reachable && loadNewMessages());
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [active, page, load, last]);
  useEffect(() => {
    if (data?.thread.kind === "found") receive.current(data.thread.value.messages);
    if (data?.thread.kind === "none") revalidate();
  }, [data, receive, revalidate]);
}

const withSince = (path: string, since: string | undefined) =>
  since ? `${path}${path.includes("?") ? "&" : "?"}since=${since}` : path;
