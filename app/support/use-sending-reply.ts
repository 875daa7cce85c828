import { useFetcher } from "@remix-run/react";
import { useEffect, useMemo, useRef, useState, type FormEvent, type RefObject } from "react";
import type { FormReply } from "~/forms/refuse.server";
import { isUnsent } from "~/forms/unsent";
import type { MessageWords } from "./message-words.server";
import { joinTexts, splitText, useDraft } from "./use-draft";

type Answer = FormReply & { sent?: MessageWords };

type Options = {
  area: RefObject<HTMLTextAreaElement>;
  uid: string;
  idempotencyKey: string;
  /** The refusal with which the page was loaded. */
  reply: FormReply | undefined;
  /** Called with the text that is being sent, or null. */
  onSending: (text: string | null) => void;
  onSent: (message: MessageWords) => void;
};

/**
 * Sends a reply without leaving the page. The field is empty at once for the next reply. A reply that is not
 * known as sent comes back before what was typed since, and is sent again on its own: under the key that it
 * had, because it may have arrived. What follows it is a reply of its own, with its own key.
 */
export function useSendingReply(options: Options) {
  const { area, uid, reply, onSending, onSent } = options;
  const fetcher = useFetcher<Answer>();
  const { data, formData, state } = fetcher;
  const [key, setKey] = useKey(data, reply?.idempotencyKey ?? options.idempotencyKey);
  const message = formData?.get("message");
  // The state after `submitting` only reloads data. The field is free by then.
  const busy = state === "submitting";
  const sendingText = busy && typeof message === "string" ? message : null;
  const onTheWay = useRef("");
  const forgetDraft = useDraft(area, uid, {
    onTheWay,
    idempotencyKey: key,
    onRestored: (saved) => reply?.idempotencyKey ?? setKey(saved),
  });
  /** What was posted and is still in the field, and what the field holds after it. */
  const posted = useRef<{ text: string; rest: string } | null>(null);
  const dataBefore = useRef<unknown>();
  const unsentText = useRef("");
  /** A text that goes as soon as the one before it is sent, if nobody changes it until then. */
  const queued = useRef("");
  const handlers = useRef({ onSent });
  handlers.current = { onSent };
  useEffect(() => {
    onSending(sendingText);
    if (posted.current) {
      onTheWay.current = posted.current.text;
      setText(area.current, posted.current.rest);
      posted.current = null;
    }
    if (busy || !onTheWay.current || !area.current) return;
    // After a redirect the data are still those of the reply before.
    const sent = data === dataBefore.current ? undefined : data?.sent;
    unsentText.current = sent ? "" : onTheWay.current;
    onTheWay.current = "";
    setText(area.current, joinTexts(unsentText.current, area.current.value));
    if (sent) handlers.current.onSent(sent);
    const isNext = sent && queued.current && area.current.value === queued.current;
    queued.current = "";
    if (isNext) area.current.form?.requestSubmit();
  }, [busy, sendingText, data, area, onSending]);
  // The answer of a later post replaces the refusal that the page was loaded with.
  const refusal = useMemo(
    () => (data ? data.lastResult && { lastResult: data.lastResult, ...lostIn(data) } : reply),
    [data, reply],
  );
  /** Sends replies one after the other: a second one waits until the first is sent. */
  const queue = (event: FormEvent) => {
    const field = area.current;
    // The second press of a double click comes before the first is shown as being sent.
    if (posted.current) return event.preventDefault();
    queued.current = busy ? (field?.value ?? "") : "";
    if (busy) return event.preventDefault();
    if (!field) return;
    const [text, rest] = splitText(field.value, unsentText.current);
    // Without an event: the draft is still both texts.
    field.value = text;
    queued.current = rest;
    posted.current = { text, rest };
    dataBefore.current = data;
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
    forgetDraft,
  };
}

/** The key of the next post. It is in the form as soon as the answer is known, when a waiting reply follows. */
function useKey(data: Answer | undefined, first: string) {
  const [key, setKey] = useState(first);
  const [answered, setAnswered] = useState(data);
  if (data !== answered) {
    setAnswered(data);
    if (data?.idempotencyKey) setKey(data.idempotencyKey);
  }
  return [key, setKey] as const;
}

const lostIn = ({ lost }: Answer) => (lost === undefined ? {} : { lost });

/** Sets the value and fires `input`, so that listeners of the field are notified. */
function setText(area: HTMLTextAreaElement | null, value: string) {
  if (!area) return;
  area.value = value;
  area.dispatchEvent(new Event("input", { bubbles: true }));
}
