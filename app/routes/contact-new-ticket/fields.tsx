import { Form } from "@remix-run/react";
import { FormErrors } from "~/forms/form-errors";
import { HoneypotField } from "~/forms/honeypot-field";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useSending } from "~/forms/use-sending";
import { useT } from "~/i18n/use-t";
import { categories } from "~/support/category";
import { kinds } from "~/support/kinds";
import { WriteFields } from "~/support/write-fields";
import { Button } from "~/ui/button";
import { Select } from "~/ui/select";
import { TextInput } from "~/ui/text-input";

type Fields = Record<"email" | "name" | "category" | "subject" | "message", string>;
type TicketFormProps = { email: string; reply: FormReply | undefined; idempotencyKey: string };

export function TicketForm({ email, reply, idempotencyKey }: TicketFormProps) {
  const { form, fields, control } = useReply<Fields>("ticket", reply, { email });
  const sending = useSending();
  const t = useT("contact");
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
      <TextInput
        {...control(fields.email)}
        label={t("new.email")}
        hint={t("new.emailHint")}
        type="email"
        autoComplete="email"
        maxLength={254}
        required
      />
      <TextInput
        {...control(fields.name)}
        label={t("new.name")}
        autoComplete="name"
        maxLength={100}
        required
      />
      <Select {...control(fields.category)} label={t("new.category")}>
        <option value="">{t("new.noCategory")}</option>
        {categories.map((key) => (
          <option key={key} value={key}>
            {t(`categories.${key}`)}
          </option>
        ))}
      </Select>
      <WriteFields kind={kinds.contact} fields={fields} control={control} />
      <HoneypotField />
      <Button look="primary" block aria-disabled={sending.busy}>
        {t("new.submit")}
      </Button>
    </Form>
  );
}
