import { Form, useNavigation } from "@remix-run/react";
import type { ComponentProps, FormEvent, FormEventHandler } from "react";
import { Button } from "~/ui/button";
import { FormErrors } from "./form-errors";
import type { FaultyForm } from "./use-reply";

/** Of a conform form, what its element needs. */
type Posted = FaultyForm & { noValidate: boolean; onSubmit: FormEventHandler<HTMLFormElement> };

type PostFormProps = Omit<ComponentProps<typeof Form>, "method" | "id" | "noValidate"> & {
  /** None: nothing in it can be refused. */
  form?: Posted;
};

/**
 * A form that is posted: what was refused on top, and one post at a time; a second click does
 * nothing, and the server holds that rule anyway.
 */
export function PostForm({ form, children, onSubmit, ...rest }: PostFormProps) {
  const busy = useSending();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (busy) return event.preventDefault();
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
      {form && <FormErrors form={form} />}
      {children}
    </Form>
  );
}

/** Says while the post is under way that another does nothing. */
export function SendButton(props: ComponentProps<typeof Button>) {
  return <Button {...props} aria-disabled={useSending()} />;
}

const useSending = () => useNavigation().state !== "idle";
