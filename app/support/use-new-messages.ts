import { useFetcher, useNavigation, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { isSiteReachable } from "~/api/reachable";
import type { ReadResult } from "~/api/read-result";
import type { ShownStatus } from "~/contract/ticket-status";
import { STATUS_EVENT } from "./kinds";
import type { MessageWords } from "./message-words.server";
import type { ThreadData } from "./thread.server";

const POLL_MS = 20_000;

type NewMessages = {
  /** False when there is nothing to come: the thread is gone. */
  isActive: boolean;
  /** The thread's page and its stream of new messages. */
  page: string;
  events: string;
  since: string | undefined;
  /** The status that the page shows: once the thread has another one, the page reads its data again. */
  status: ShownStatus;
  onMessages: (messages: readonly MessageWords[]) => void;
};

/** Delivers new messages by server-sent events, or by polling where those fail. */
export function useNewMessages({ isActive, page, events, since, status, onMessages }: NewMessages) {
  const [broken, setBroken] = useState(false);
  const onStatus = useNewStatus(status);
  const last = useRef(since);
  last.current = since;
  const receive = useRef(onMessages);
  receive.current = onMessages;
  useEffect(() => {
    if (!isActive) return undefined;
    const source = new EventSource(withSince(events, last.current));
    // The cast is safe: our own server wrote the event (`threadEvents`).
    source.onmessage = ({ data }) => receive.current(JSON.parse(String(data)) as MessageWords[]);
    source.addEventListener(STATUS_EVENT, ({ data }: MessageEvent) => onStatus(String(data)));
    source.onerror = () => setBroken(source.readyState === EventSource.CLOSED);
    return () => source.close();
  }, [isActive, events, onStatus]);
  usePolling({ active: isActive && broken, page, last, receive, onStatus });
}

/**
 * Reads the page's data again when the other side has closed, locked or opened the thread. It waits while a post
 * is under way, whose load it would cancel. A reload that fails is tried again when the status is told again.
 */
function useNewStatus(shown: ShownStatus) {
  const { revalidate } = useRevalidator();
  const { state } = useNavigation();
  const [latest, setLatest] = useState<{ status: string }>({ status: shown });
  const shownStatus = useRef<string>(shown);
  shownStatus.current = shown;
  useEffect(() => {
    if (state === "idle" && latest.status !== shownStatus.current) revalidate();
  }, [latest, state, revalidate]);
  return useCallback((status: string) => setLatest({ status }), []);
}

type Polling = {
  active: boolean;
  page: string;
  last: { current: string | undefined };
  receive: { current: NewMessages["onMessages"] };
  onStatus: (status: string) => void;
};

function usePolling({ active, page, last, receive, onStatus }: Polling) {
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
    if (data?.thread.kind === "none") revalidate();
    if (data?.thread.kind !== "found") return;
    receive.current(data.thread.value.messages);
    onStatus(data.thread.value.ticket.status);
  }, [data, receive, revalidate, onStatus]);
}

const withSince = (path: string, since: string | undefined) =>
  since ? `${path}${path.includes("?") ? "&" : "?"}since=${since}` : path;
