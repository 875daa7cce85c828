import { MESSAGE_LENGTH } from "~/contract/limits";
import { useActionData } from "@remix-run/react";
import { useEffect, useRef, type FormEvent, type RefObject } from "react";
import { PostForm, SendButton } from "~/forms/post-form";
import { useT } from "~/i18n/use-t";
import { MessageField } from "~/support/message-field";
import { useDraft } from "~/support/use-draft";
import { useKeptText } from "~/support/use-kept-text";
import { Checkbox } from "~/ui/checkbox";
import { answerChoices } from "./answer-choices";
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
  const isOver = isLost || isClosed;
  const area = useRef<HTMLTextAreaElement>(null);
  const forgetDraft = useDraft(area, uid, { choices: answerChoices(area) });
  const isKept = useKeptText(area, isClosed, reply !== undefined) || reply?.lost !== undefined;
  const { defaultValue: firstInternal, error: _, ...internal } = control(fields.internal);
  const { defaultValue: firstAfter, ...after } = control(fields.after);
  const message = control(fields.message);
  // A refusal may put the form into another page, where its fields are new ones.
  const posted = reply?.lastResult?.initialValue;
  const isNothingTyped = reply?.lost !== undefined && posted?.message === undefined;
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
          defaultValue={textOf(posted?.message) ?? message.defaultValue}
          inputRef={area}
          readOnly={isOver}
          label={t(isOver ? "thread.unsent" : "thread.reply")}
          hint={isOver ? undefined : t("thread.replyHint")}
          maxLength={MESSAGE_LENGTH}
        />
      )}
      {/* They keep what was chosen of a text that cannot be sent: the ticket may be opened again, and a note stays one. */}
      <div className="form" hidden={isOver}>
        <Checkbox
          {...internal}
          value="on"
          defaultChecked={(posted ? posted.internal : firstInternal) === "on"}
          label={t("thread.note")}
          hint={t("thread.noteHint")}
        />
        <StatusSelect
          {...after}
          defaultValue={posted ? textOf(posted.after) : firstAfter}
          label={t("thread.after")}
          none={t("thread.keep")}
        />
        {!isLost && (
          <div>
            <SendButton look="primary" name="intent" value="answer">
              {t("thread.submit")}
            </SendButton>
          </div>
        )}
      </div>
    </PostForm>
  );
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

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
