import { useEffect, useRef, useState } from "react";
import { MESSAGE_LENGTH } from "~/contract/support";
import { FormErrors, UnsentForm } from "~/forms/form-errors";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { Button } from "~/ui/button";
import type { SupportKind } from "./kinds";
import { MessageField } from "./message-field";
import type { MessageWords } from "./message-words.server";
import { useDraft } from "./use-draft";
import { useSendingReply } from "./use-sending-reply";

type ReplyProps = {
  kind: SupportKind;
  uid: string;
  action: string;
  reply: FormReply | undefined;
  idempotencyKey: string;
  onSending: (text: string | null) => void;
  onSent: (message: MessageWords) => void;
};

/** Without script a plain post; with it the message joins the thread at once and settles there. */
export function Reply({ kind, uid, action, ...sending }: ReplyProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const { Form, busy, key, refused, unsent, queue } = useSendingReply({ area, ...sending });
  const { form, fields, control } = useReply<{ message: string }>("reply", refused);
  const { error, ...message } = control(fields.message);
  const t = useT(kind.namespace);
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);
  useDraft(area, uid);
  return (
    <Form
      method="post"
      action={action}
      className="form"
      id={form.id}
      noValidate={form.noValidate}
      onSubmit={(event) => {
        queue(event);
        if (!busy) form.onSubmit(event);
      }}
    >
      {unsent && <UnsentForm />}
      {refused && <FormErrors form={form} />}
      <input type="hidden" name="idempotencyKey" value={key} />
      {scripted && <input type="hidden" name="inPlace" value="1" />}
      <MessageField
        {...message}
        {...(refused && error && { error })}
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
    </Form>
  );
}
