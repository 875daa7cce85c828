import { useFetcher } from "@remix-run/react";
import { useEffect, useMemo, useRef, useState, type FormEvent, type RefObject } from "react";
import type { FormReply } from "~/forms/refuse.server";
import { isUnsent } from "~/forms/unsent";
import type { MessageWords } from "./message-words.server";

type Answer = FormReply & { sent?: MessageWords };

type Options = {
  area: RefObject<HTMLTextAreaElement>;
  idempotencyKey: string;
  /** The refusal that the page came with. */
  reply: FormReply | undefined;
  /** The text under way, null when none is. */
  onSending: (text: string | null) => void;
  onSent: (message: MessageWords) => void;
};

/**
 * A reply sent in place: the field is free for the next one at once, and gets its text back when it
 * was refused. Each reply has a key of its own, so that none arrives twice.
 */
export function useSendingReply({ area, idempotencyKey, reply, onSending, onSent }: Options) {
  const fetcher = useFetcher<Answer>();
  const { data, formData, state } = fetcher;
  const [key, setKey] = useState(reply?.idempotencyKey ?? idempotencyKey);
  const sentText = useRef("");
  const message = formData?.get("message");
  // Afterwards the page is only looked up anew: the field is free already.
  const busy = state === "submitting";
  const sendingText = busy && typeof message === "string" ? message : null;
  useEffect(() => {
    onSending(sendingText);
    if (sendingText === null) return;
    sentText.current = sendingText;
    setText(area.current, "");
  }, [sendingText, area, onSending]);
  const handlers = useRef({ onSent });
  handlers.current = { onSent };
  useEffect(() => {
    if (data?.sent) handlers.current.onSent(data.sent);
    if (data?.idempotencyKey) setKey(data.idempotencyKey);
    const isBack = data?.lastResult || isUnsent(data);
    if (isBack && area.current?.value === "") setText(area.current, sentText.current);
  }, [data, area]);
  // Once something was sent here, what the page was opened with is past.
  const refusal = useMemo(
    () => (data ? data.lastResult && { lastResult: data.lastResult } : reply),
    [data, reply],
  );
  const hasQueued = useRef(false);
  useEffect(() => {
    if (busy || !hasQueued.current) return;
    hasQueued.current = false;
    area.current?.form?.requestSubmit();
  }, [busy, area]);
  /** One after the other: what is sent meanwhile waits for its turn. */
  const queue = (event: FormEvent) => {
    if (busy) event.preventDefault();
    hasQueued.current = busy;
  };
  const isSent = !busy && data?.sent !== undefined;
  return {
    Form: fetcher.Form,
    busy,
    key,
    refused: refusal,
    unsent: !busy && isUnsent(data),
    isSent,
    queue,
  };
}

/** Whoever listens to the field hears of it. */
function setText(area: HTMLTextAreaElement | null, value: string) {
  if (!area) return;
  area.value = value;
  area.dispatchEvent(new Event("input", { bubbles: true }));
}
