import { useFetcher } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { MESSAGE_LENGTH } from "~/contract/support";
import { FormErrors } from "~/forms/form-errors";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { Button } from "~/ui/button";
import type { SupportKind } from "./kinds";
import { MessageField } from "./message-field";
import type { MessageWords } from "./message-words.server";
import { useDraft } from "./use-draft";

type ReplyProps = {
  kind: SupportKind;
  uid: string;
  action: string;
  reply: FormReply | undefined;
  idempotencyKey: string;
  onSending: (text: string | null) => void;
  onSent: (message: MessageWords) => void;
};

type Answer = Partial<FormReply> & { sent?: MessageWords };

/** Without script a plain post; with it the message joins the thread at once and settles there. */
export function Reply({ kind, uid, action, reply, idempotencyKey, onSending, onSent }: ReplyProps) {
  const fetcher = useFetcher<Answer>();
  const answered = fetcher.data?.lastResult ? (fetcher.data as FormReply) : reply;
  const { form, fields, control } = useReply<{ message: string }>("reply", answered);
  const t = useT(kind.namespace);
  const area = useRef<HTMLTextAreaElement>(null);
  const forgetDraft = useDraft(area, uid);
  const [key, setKey] = useState(idempotencyKey);
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);
  const busy = fetcher.state !== "idle";
  const text = busy ? fetcher.formData?.get("message") : null;
  useEffect(() => onSending(typeof text === "string" ? text : null), [text, onSending]);
  const sent = fetcher.data?.sent;
  useEffect(() => {
    if (!sent) return;
    onSent(sent);
    forgetDraft();
    setKey(crypto.randomUUID());
    if (area.current) {
      area.current.value = "";
      area.current.dispatchEvent(new Event("input", { bubbles: true }));
      area.current.focus();
    }
    // Once for each message that arrived.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [sent?.uid]);
  return (
    <fetcher.Form
      method="post"
      action={action}
      className="form"
      id={form.id}
      noValidate={form.noValidate}
      onSubmit={(event) => (busy ? event.preventDefault() : form.onSubmit(event))}
    >
      <FormErrors form={form} />
      <input type="hidden" name="idempotencyKey" value={key} />
      {scripted && <input type="hidden" name="inPlace" value="1" />}
      <MessageField
        {...control(fields.message)}
        inputRef={area}
        label={t("thread.reply")}
        hint={t("thread.replyHint")}
        maxLength={MESSAGE_LENGTH}
      />
      <div>
        <Button look="primary" aria-disabled={busy}>
          {t("thread.submit")}
        </Button>
      </div>
    </fetcher.Form>
  );
}
