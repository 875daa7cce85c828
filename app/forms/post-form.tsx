import { Form, useActionData, useNavigation } from "@remix-run/react";
import { useRef, type ComponentProps, type FormEvent, type FormEventHandler } from "react";
import { Button } from "~/ui/button";
import { FormErrors, UnsentForm } from "./form-errors";
import { OwnerField } from "./owner";
import { isUnsent } from "./unsent";
import type { FaultyForm } from "./use-reply";

/** The part of a conform form that its element needs. */
type ConformForm = FaultyForm & {
  noValidate: boolean;
  onSubmit: FormEventHandler<HTMLFormElement>;
};

type PostFormProps = Omit<ComponentProps<typeof Form>, "method" | "id" | "noValidate"> & {
  /** Left out for a form that cannot be refused. */
  form?: ConformForm;
};

/**
 * A form that is posted: what was refused on top, whom it was made for, and one post at a time; a
 * second click does nothing, and the server holds that rule anyway.
 */
export function PostForm({ form, children, onSubmit, ...rest }: PostFormProps) {
  const isSending = useSending();
  // A page may have several forms. The answer belongs to the form that was sent.
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
      <OwnerField />
      {children}
    </Form>
  );
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
