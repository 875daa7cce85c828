import { useFetcher } from "@remix-run/react";
import { useEffect, useMemo, useRef, useState, type FormEvent, type RefObject } from "react";
import type { FormReply } from "~/forms/refuse.server";
import { isUnsent } from "~/forms/unsent";
import type { MessageWords } from "./message-words.server";
import { arrive, depart, IDLE, press, type Sending } from "./sending";
import { useDraft } from "./use-draft";

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
 * Sends a reply without leaving the page (`sending.ts`). A reply that is not known as sent is sent again under
 * the key that it had, because it may have arrived. What follows it is a reply of its own, with its own
 * key.
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
  const sending = useRef<Sending>(IDLE);
  const forgetDraft = useDraft(area, uid, {
    sending,
    idempotencyKey: key,
    onRestored: (saved) => reply?.idempotencyKey ?? setKey(saved),
  });
  const dataBefore = useRef<unknown>();
  useEffect(() => onSending(sendingText), [sendingText, onSending]);
  const follow = useRef(() => {});
  follow.current = () => {
    if (!area.current) return;
    if (sending.current.step === "posted") {
      const next = depart(sending.current);
      sending.current = next.sending;
      setText(area.current, next.field);
    }
    if (busy || sending.current.step !== "onTheWay") return;
    // After a redirect the data are still those of the reply before.
    const sent = data === dataBefore.current ? undefined : data?.sent;
    const next = arrive(sending.current, area.current.value, sent !== undefined);
    sending.current = next.sending;
    setText(area.current, next.field);
    if (sent) onSent(sent);
    if (next.isNextPost) area.current.form?.requestSubmit();
  };
  useEffect(() => follow.current(), [busy, data]);
  const refused = useRefusal(data, reply);
  /** Sends replies one after the other: a second one waits until the first is sent. */
  const queue = (event: FormEvent) => {
    const field = area.current;
    if (!field) return;
    const next = press(sending.current, field.value);
    sending.current = next.sending;
    if (!next.isPost) return event.preventDefault();
    // Without an event: the draft is still both texts.
    field.value = next.field;
    dataBefore.current = data;
  };
  return {
    Form: fetcher.Form,
    busy,
    key,
    refused,
    unsent: !busy && isUnsent(data) ? data : null,
    isSent: !busy && data?.sent !== undefined,
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

/** The answer of a later post replaces the refusal that the page was loaded with. */
const useRefusal = (data: Answer | undefined, reply: FormReply | undefined) =>
  useMemo(
    () => (data ? data.lastResult && { lastResult: data.lastResult, ...lostIn(data) } : reply),
    [data, reply],
  );

const lostIn = ({ lost }: Answer) => (lost === undefined ? {} : { lost });

/** Sets the value and fires `input`, so that listeners of the field are notified. */
function setText(area: HTMLTextAreaElement, value: string) {
  area.value = value;
  area.dispatchEvent(new Event("input", { bubbles: true }));
}
