import { Form, useActionData, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState, type ComponentProps, type FormEvent } from "react";
import type { Key } from "~/i18n/keys";
import { Button } from "~/ui/button";
import { FormErrors, UnsentForm } from "./form-errors";
import { FORM_DRAFTS } from "./form-drafts-event";
import { OwnerField } from "./owner";
import { isUnsent } from "./unsent";
import type { FaultyForm } from "./use-reply";

/** The part of a form's state (`useReply`) that its element needs. */
type FormState = FaultyForm & { noValidate: boolean };

type PostFormProps = Omit<ComponentProps<typeof Form>, "method" | "id" | "noValidate"> & {
  /** Left out for a form that cannot be refused. */
  form?: FormState;
  /** What a post without an answer may have done, where it needs words of its own. */
  unanswered?: Key<"forms">;
  /**
   * Whether the site has reported that the answer to an earlier post was lost. Where this is given, the
   * next post after a lost answer says so in the field `lost`, also when the script noticed the loss.
   */
  lost?: boolean;
  /** Keeps what is typed under this name until it is sent (`enhance/form-drafts.ts`). */
  draft?: string;
};

/**
 * A posted form with its error summary and its owner mark. It is sent once at a time: a second click does
 * nothing. The server enforces that too.
 */
export function PostForm(props: PostFormProps) {
  const { form, unanswered, lost, draft, children, onSubmit, ...rest } = props;
  const isSending = useSending();
  // A page may have several forms. The answer belongs to the form that was sent.
  const { isSent, send } = useLastSent(isSending);
  const answer = useActionData<unknown>();
  const unsent = isUnsent(answer) && isSent.current ? answer : null;
  const [isLost, setLost] = useState(false);
  if (unsent?.unanswered === "lost" && !isLost) setLost(true);
  // The draft of the form is kept until the form is answered or removed.
  useEffect(() => () => void dispatchEvent(new Event(FORM_DRAFTS)), [answer]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (isSending) return event.preventDefault();
    onSubmit?.(event);
    if (!event.defaultPrevented) send();
  };
  return (
    <Form
      method="post"
      className="form"
      {...rest}
      id={form?.id}
      noValidate={form?.noValidate}
      data-draft={draft}
      onSubmit={submit}
    >
      {unsent && !isSending && <UnsentForm answer={unsent} text={unanswered} />}
      {form && !unsent && <FormErrors form={form} />}
      <OwnerField />
      {lost !== undefined && (lost || isLost) && <input type="hidden" name="lost" value="1" />}
      {children}
    </Form>
  );
}

/** Whether this form, of several on the page, was the last that was sent. */
function useLastSent(isSending: boolean) {
  const isSent = useRef(false);
  const isOwn = useRef(false);
  useEffect(() => {
    if (!isSending) return;
    if (!isOwn.current) isSent.current = false;
    isOwn.current = false;
  }, [isSending]);
  const send = () => {
    isSent.current = true;
    isOwn.current = true;
  };
  return { isSent, send };
}

/** A submit button, marked as disabled for assistive technology while a post is under way. */
export function SendButton(props: ComponentProps<typeof Button>) {
  return <Button {...props} aria-disabled={useSending()} />;
}

/**
 * Whether a post is under way. An answer without a redirect is shown before the page's data is loaded
 * again, so its buttons work at once.
 */
function useSending() {
  const { state, formAction, location } = useNavigation();
  if (state !== "loading") return state === "submitting";
  return formAction !== undefined && pathOf(formAction) !== location.pathname;
}

const pathOf = (action: string) => action.split("?", 1)[0];
