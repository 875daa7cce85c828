import { MESSAGE_LENGTH } from "~/contract/limits";
import { useEffect, useRef, useState, type FormEvent, type RefObject } from "react";
import { RESTORE_FIELD } from "~/forms/carried";
import { FormErrors, UnsentForm } from "~/forms/form-errors";
import { OwnerField } from "~/forms/owner";
import type { FormReply } from "~/forms/refuse.server";
import { useReply, type Control } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { Button } from "~/ui/button";
import { ConsentField } from "./consent-field";
import type { SupportKind } from "./kinds";
import { MessageField } from "./message-field";
import type { MessageWords } from "./message-words.server";
import { useKeptText } from "./use-kept-text";
import { useSendingReply } from "./use-sending-reply";

type ReplyProps = {
  kind: SupportKind;
  uid: string;
  action: string;
  /**
   * The thread could not be read: its form asks for a whole page. Here an answer in place would be lost, because
   * the thread that is read by then takes the place of this form.
   */
  isUnread?: boolean;
  /** The thread takes no more replies. */
  closed: boolean;
  /** The consent was taken back: the next message asks for it again. */
  asksConsent?: boolean;
  reply: FormReply | undefined;
  idempotencyKey: string;
  /** The last message that the page shows: without script, a reply marks it as read. */
  until?: string | undefined;
  onSending: (text: string | null) => void;
  onSent: (message: MessageWords) => void;
};

/** Id of the form. */
export const REPLY = "reply";

/** The reply form, unless the thread was closed before its page was opened. */
export function Reply(props: ReplyProps) {
  const { closed, reply } = props;
  const hasForm = !closed || reply !== undefined;
  const [isBegun, setBegun] = useState(hasForm);
  if (hasForm && !isBegun) setBegun(true);
  return isBegun && <ReplyForm {...props} />;
}

/**
 * Without script it is a plain post. With script the message appears in the thread at
 * once. If the thread was closed meanwhile, the typed text stays on the page, to be copied.
 */
function ReplyForm(props: ReplyProps) {
  const { kind, uid, action, isUnread = false, closed, asksConsent, until, ...sending } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const {
    Form: InPlace,
    busy,
    key,
    refused,
    unsent,
    isSent,
    queue,
    forgetDraft,
  } = useSendingReply({ area, uid, ...sending });
  const { form, fields, control } = useReply<Record<"message" | "consent", string>>(REPLY, refused);
  const t = useT(kind.namespace);
  const support = useT("support");
  const Form = isUnread ? "form" : InPlace;
  const forgetSent = (event: FormEvent) => {
    if (!isRestoring(event)) forgetDraft();
  };
  const isClosed = closed || refused?.lost !== undefined;
  const isBack = refused !== undefined || unsent !== null;
  const isKept = useKeptText(area, closed, isBack) || refused?.lost !== undefined;
  return (
    <>
      <Form
        method="post"
        action={action}
        className="form thread-reply"
        hidden={isClosed && !isKept}
        id={form.id}
        noValidate={form.noValidate}
        onSubmit={isUnread ? forgetSent : queue}
      >
        {unsent && <UnsentForm answer={unsent} text="failures.message.broken" />}
        {refused && <FormErrors form={form} />}
        <OwnerField />
        <input type="hidden" name="idempotencyKey" value={key} />
        {until && <input type="hidden" name="until" value={until} />}
        {!isUnread && <InPlaceField />}
        <ReplyField
          kind={kind}
          area={area}
          isClosed={isClosed}
          isRefused={refused !== undefined}
          control={control(fields.message)}
        />
        {!isClosed && (asksConsent || fields.consent.errors) && (
          <ConsentField field={fields.consent} control={control} />
        )}
        {!isClosed && <SendButton busy={busy} text={t("thread.submit")} />}
        <p className="soft small" role="status">
          {isSent && support("sent")}
        </p>
      </Form>
      {isClosed && isKept && <OnwardForm kind={kind} />}
    </>
  );
}

type ReplyFieldProps = {
  kind: SupportKind;
  area: RefObject<HTMLTextAreaElement>;
  isClosed: boolean;
  isRefused: boolean;
  control: ReturnType<Control>;
};

/** The field of a reply. In a closed thread it keeps the text that was not sent, for another thread. */
function ReplyField({ kind, area, isClosed, isRefused, control }: ReplyFieldProps) {
  const t = useT(kind.namespace);
  const support = useT("support");
  const { error, ...message } = control;
  return (
    <MessageField
      {...message}
      {...(isRefused && error && { error })}
      inputRef={area}
      {...(isClosed && { form: ONWARD })}
      readOnly={isClosed}
      label={isClosed ? support("unsent") : t("thread.reply")}
      hint={isClosed ? undefined : t("thread.replyHint")}
      maxLength={MESSAGE_LENGTH}
    />
  );
}

/** Whether the page is only read again, and nothing sent. */
const isRestoring = ({ nativeEvent }: FormEvent) =>
  nativeEvent instanceof SubmitEvent &&
  nativeEvent.submitter instanceof HTMLButtonElement &&
  nativeEvent.submitter.name === RESTORE_FIELD;

/** Asks for an answer that leaves the page as it is, once a script runs that can show it. */
function InPlaceField() {
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);
  return scripted && <input type="hidden" name="inPlace" value="1" />;
}

function SendButton({ busy, text }: { busy: boolean; text: string }) {
  return (
    <div>
      <Button look="primary" aria-disabled={busy}>
        {text}
      </Button>
    </div>
  );
}

const ONWARD = "onward";

/** Brings the text from a thread that takes none to where a new one is begun. */
function OnwardForm({ kind }: { kind: SupportKind }) {
  const t = useT(kind.namespace);
  return (
    <form id={ONWARD} method="post" action={kind.begin()}>
      <input type="hidden" name={RESTORE_FIELD} value="1" />
      <Button>{t("thread.onward")}</Button>
    </form>
  );
}
