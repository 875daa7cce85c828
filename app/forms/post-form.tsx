import { Form, useActionData, useNavigation } from "@remix-run/react";
import { useRef, type ComponentProps, type FormEvent, type FormEventHandler } from "react";
import { Button } from "~/ui/button";
import { FormErrors, UnsentForm } from "./form-errors";
import { isUnsent } from "./unsent";
import type { FaultyForm } from "./use-reply";

/** Of a conform form, what its element needs. */
type ConformForm = FaultyForm & {
  noValidate: boolean;
  onSubmit: FormEventHandler<HTMLFormElement>;
};

type PostFormProps = Omit<ComponentProps<typeof Form>, "method" | "id" | "noValidate"> & {
  /** None: nothing in it can be refused. */
  form?: ConformForm;
};

/**
 * A form that is posted: what was refused on top, and one post at a time; a second click does
 * nothing, and the server holds that rule anyway.
 */
export function PostForm({ form, children, onSubmit, ...rest }: PostFormProps) {
  const isSending = useSending();
  // A page may have several forms; its answer belongs to the one that was sent.
  const isSent = useRef(false);
  const unsent = isUnsent(useActionData()) && isSent.current;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (isSending) return event.preventDefault();
    isSent.current = true;
    onSubmit?.(event);
    form?.onSubmit(event);
  };
  return (
    <Form
      method="post"
      className="form"
      {...rest}
      {...(form && { id: form.id, noValidate: form.noValidate })}
      onSubmit={submit}
    >
      {unsent && !isSending && <UnsentForm />}
      {form && !unsent && <FormErrors form={form} />}
      {children}
    </Form>
  );
}

/** Says while the post is under way that another does nothing. */
export function SendButton(props: ComponentProps<typeof Button>) {
  return <Button {...props} aria-disabled={useSending()} />;
}

/**
 * From the post until its answer stands: an answer that stays on its page stands before the page is
 * looked up anew, and what it offers can be pressed at once.
 */
function useSending() {
  const { state, formAction, location } = useNavigation();
  if (state !== "loading") return state === "submitting";
  return formAction !== undefined && pathOf(formAction) !== location.pathname;
}

const pathOf = (action: string) => action.split("?", 1)[0];
