import { Form } from "@remix-run/react";
import { FormErrors } from "~/forms/form-errors";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useSending } from "~/forms/use-sending";
import { useT } from "~/i18n/use-t";
import { kinds } from "~/support/kinds";
import { WriteFields } from "~/support/write-fields";
import { Button } from "~/ui/button";

type Fields = { subject: string; message: string };
type DiscussionFormProps = { reply: FormReply | undefined; idempotencyKey: string };

export function DiscussionForm({ reply, idempotencyKey }: DiscussionFormProps) {
  const { form, fields, control } = useReply<Fields>("discussion", reply);
  const sending = useSending();
  const t = useT("coaching");
  return (
    <Form
      method="post"
      className="form"
      id={form.id}
      noValidate={form.noValidate}
      onSubmit={sending.guard(form.onSubmit)}
    >
      <FormErrors form={form} />
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <WriteFields kind={kinds.coaching} fields={fields} control={control} />
      <div>
        <Button look="primary" aria-disabled={sending.busy}>
          {t("new.submit")}
        </Button>
      </div>
    </Form>
  );
}
