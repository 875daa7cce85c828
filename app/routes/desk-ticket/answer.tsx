import { MESSAGE_LENGTH } from "~/contract/limits";
import { useRef } from "react";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { MessageField } from "~/support/message-field";
import { useDraft } from "~/support/use-draft";
import { Checkbox } from "~/ui/checkbox";
import { StatusSelect } from "./status-select";

type Fields = Record<"message" | "internal" | "status", string>;
type AnswerProps = {
  uid: string;
  /** Version of the ticket. Unknown if the thread could not be read. */
  version?: number;
  idempotencyKey: string;
  reply: FormReply | undefined;
};

export function Answer({ uid, version, idempotencyKey, reply }: AnswerProps) {
  const { form, fields, control } = useReply<Fields>("answer", reply);
  const t = useT("desk");
  const isLost = reply?.lost !== undefined;
  const area = useRef<HTMLTextAreaElement>(null);
  const forgetDraft = useDraft(area, `desk-${uid}`);
  const { defaultValue, error: _, ...internal } = control(fields.internal);
  return (
    <PostForm form={form} onSubmit={forgetDraft} data-desk-reply>
      <input type="hidden" name="idempotencyKey" value={reply?.idempotencyKey ?? idempotencyKey} />
      {version !== undefined && <input type="hidden" name="version" value={version} />}
      <MessageField
        {...control(fields.message)}
        inputRef={area}
        readOnly={isLost}
        label={t("thread.reply")}
        hint={isLost ? undefined : t("thread.replyHint")}
        maxLength={MESSAGE_LENGTH}
      />
      {!isLost && (
        <>
          <Checkbox
            {...internal}
            value="on"
            defaultChecked={defaultValue === "on"}
            label={t("thread.note")}
          />
          <StatusSelect
            {...control(fields.status)}
            label={t("thread.after")}
            none={t("thread.keep")}
          />
          <div>
            <SendButton look="primary">{t("thread.submit")}</SendButton>
          </div>
        </>
      )}
    </PostForm>
  );
}
