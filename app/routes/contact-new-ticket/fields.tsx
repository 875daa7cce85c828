import { CONTACT_NAME_LENGTH } from "~/contract/limits";
import { EmailField } from "~/forms/email-field";
import { HoneypotField } from "~/forms/honeypot-field";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { categories } from "~/support/categories";
import { kinds } from "~/support/kinds";
import { WriteFields } from "~/support/write-fields";
import { DataNotice } from "~/ui/data-notice";
import { Select } from "~/ui/select";
import { TextInput } from "~/ui/text-input";

type Fields = Record<"email" | "name" | "category" | "subject" | "message", string>;
type TicketFormProps = { email: string; reply: FormReply | undefined; idempotencyKey: string };

export function TicketForm({ email, reply, idempotencyKey }: TicketFormProps) {
  const { form, fields, control } = useReply<Fields>("ticket", reply, { email });
  const t = useT("contact");
  return (
    <PostForm form={form} unanswered="failures.ticket.broken" draft="contact">
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <EmailField
        {...control(fields.email)}
        label={t("new.email")}
        hint={t("new.emailHint")}
        data-check="email"
      />
      <TextInput
        {...control(fields.name)}
        label={t("new.name")}
        autoComplete="name"
        maxLength={CONTACT_NAME_LENGTH}
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
      <DataNotice short={t("new.dataNotice.short")} full={t("new.dataNotice.full")} />
      <SendButton look="primary" block>
        {t("new.submit")}
      </SendButton>
    </PostForm>
  );
}
