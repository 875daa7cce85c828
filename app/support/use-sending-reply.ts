import { useFetcher } from "@remix-run/react";
import { useEffect, useMemo, useRef, useState, type FormEvent, type RefObject } from "react";
import type { FormReply } from "~/forms/refuse.server";
import { isUnsent } from "~/forms/unsent";
import type { MessageWords } from "./message-words.server";

type Answer = FormReply & { sent?: MessageWords };

type Options = {
  area: RefObject<HTMLTextAreaElement>;
  idempotencyKey: string;
  /** The refusal with which the page was loaded. */
  reply: FormReply | undefined;
  /** Called with the text that is being sent, or null. */
  onSending: (text: string | null) => void;
  onSent: (message: MessageWords) => void;
};

/**
 * Sends a reply without leaving the page. The field is empty at once for the next reply, and gets the
 * text back after a refusal. Each reply has its own idempotency key.
 */
export function useSendingReply({ area, idempotencyKey, reply, onSending, onSent }: Options) {
  const fetcher = useFetcher<Answer>();
  const { data, formData, state } = fetcher;
  const [key, setKey] = useState(reply?.idempotencyKey ?? idempotencyKey);
  const sentText = useRef("");
  const message = formData?.get("message");
  // The state after `submitting` only reloads data. The field is free by then.
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
  // The answer of a later post replaces the refusal that the page was loaded with.
  const refusal = useMemo(
    () => (data ? data.lastResult && { lastResult: data.lastResult, ...lostIn(data) } : reply),
    [data, reply],
  );
  const hasQueued = useRef(false);
  useEffect(() => {
    if (busy || !hasQueued.current) return;
    hasQueued.current = false;
    area.current?.form?.requestSubmit();
  }, [busy, area]);
  /** Sends replies one after the other: a second one waits for the first. */
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
    unsent: !busy && isUnsent(data) ? data : null,
    isSent,
    queue,
  };
}

const lostIn = ({ lost }: Answer) => (lost === undefined ? {} : { lost });

/** Sets the value and fires `input`, so that listeners of the field are notified. */
function setText(area: HTMLTextAreaElement | null, value: string) {
  if (!area) return;
  area.value = value;
  area.dispatchEvent(new Event("input", { bubbles: true }));
}
