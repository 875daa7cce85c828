import { MESSAGE_LENGTH } from "~/contract/limits";
import { useActionData } from "@remix-run/react";
import { useEffect, useRef, type FormEvent, type RefObject } from "react";
import { PostForm, SendButton } from "~/forms/post-form";
import { useT } from "~/i18n/use-t";
import { MessageField } from "~/support/message-field";
import { useDraft } from "~/support/use-draft";
import { useKeptText } from "~/support/use-kept-text";
import { Checkbox } from "~/ui/checkbox";
import { StatusSelect } from "./status-select";
import type { TicketForm } from "./use-ticket-form";

type AnswerProps = {
  uid: string;
  /** Version of the ticket. Unknown if the thread could not be read. */
  version?: number;
  idempotencyKey: string;
  ticketForm: TicketForm;
  /** The ticket shows its answer only where one is being written. */
  isClosed: boolean;
  /** Nothing can be sent any more. */
  isGone: boolean;
};

export function Answer(props: AnswerProps) {
  const { uid, version, idempotencyKey, ticketForm, isClosed, isGone } = props;
  const { form, fields, control, reply } = ticketForm;
  const t = useT("desk");
  const isLost = isGone || reply?.lost !== undefined;
  const area = useRef<HTMLTextAreaElement>(null);
  const forgetDraft = useDraft(area, uid);
  const isKept = useKeptText(area, isClosed, reply !== undefined) || reply?.lost !== undefined;
  const { defaultValue, error: _, ...internal } = control(fields.internal);
  const message = control(fields.message);
  // A refusal may put the form into another page, where its field is a new one.
  const posted = reply?.lastResult?.initialValue?.message;
  const isNothingTyped = reply?.lost !== undefined && posted === undefined;
  useKeepRefused(area);
  const forgetSent = (event: FormEvent) => {
    if (!savesOnly(event)) forgetDraft();
  };
  return (
    <PostForm form={form} onSubmit={forgetSent} hidden={isClosed && !isKept} data-desk-reply>
      <input type="hidden" name="idempotencyKey" value={reply?.idempotencyKey ?? idempotencyKey} />
      {version !== undefined && <input type="hidden" name="version" value={version} />}
      {!isNothingTyped && (
        <MessageField
          {...message}
          defaultValue={typeof posted === "string" ? posted : message.defaultValue}
          inputRef={area}
          readOnly={isLost}
          label={t("thread.reply")}
          hint={isLost ? undefined : t("thread.replyHint")}
          maxLength={MESSAGE_LENGTH}
        />
      )}
      {!isLost && (
        <>
          <Checkbox
            {...internal}
            value="on"
            defaultChecked={defaultValue === "on"}
            label={t("thread.note")}
            hint={t("thread.noteHint")}
          />
          <StatusSelect
            {...control(fields.after)}
            label={t("thread.after")}
            none={t("thread.keep")}
          />
          <div>
            <SendButton look="primary" name="intent" value="answer">
              {t("thread.submit")}
            </SendButton>
          </div>
        </>
      )}
    </PostForm>
  );
}

/** Keeps the draft again after a refusal, and after a post without an answer: the site has not taken it. */
function useKeepRefused(area: RefObject<HTMLTextAreaElement>) {
  const answer = useActionData<unknown>();
  useEffect(() => {
    if (answer === undefined || !area.current?.value) return;
    area.current.dispatchEvent(new Event("input", { bubbles: true }));
  }, [answer, area]);
}

/** Whether the ticket's status is saved, and the answer not sent with it. */
const savesOnly = ({ nativeEvent }: FormEvent) =>
  nativeEvent instanceof SubmitEvent &&
  nativeEvent.submitter instanceof HTMLButtonElement &&
  nativeEvent.submitter.value === "change";
