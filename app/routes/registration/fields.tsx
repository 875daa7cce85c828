import { Form } from "@remix-run/react";
import { AccountFields } from "~/forms/account-fields";
import { FormErrors } from "~/forms/form-errors";
import { HoneypotField } from "~/forms/honeypot-field";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useSending } from "~/forms/use-sending";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Button } from "~/ui/button";

type Fields = { email: string; password: string; terms: string };
type ReplyProps = { reply: FormReply | undefined };

/** The key makes one account of a double click. */
export function RegistrationForm({
  reply,
  idempotencyKey,
}: ReplyProps & { idempotencyKey: string }) {
  const { form, fields, control } = useReply<Fields>("registration", reply);
  const sending = useSending();
  const t = useT("registration");
  return (
    <Form
      method="post"
      className="form"
      id={form.id}
      onSubmit={sending.guard(form.onSubmit)}
      noValidate={form.noValidate}
    >
      <FormErrors form={form} />
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <AccountFields fields={fields} control={control} />
      <HoneypotField />
      <p className="soft small">{t("notice")}</p>
      <Button look="primary" block aria-disabled={sending.busy}>
        {t("submit")}
      </Button>
      <p>
        {t("known")} <a href={paths.login()}>{t("login")}</a>
      </p>
    </Form>
  );
}

/** Somebody signed in who has not paid yet registers no second time. */
export function MemberForm({ email, reply }: ReplyProps & { email: string }) {
  const { form } = useReply<Record<string, string>>("payment", reply);
  const sending = useSending();
  const t = useT("registration");
  return (
    <Form method="post" className="form" id={form.id} onSubmit={sending.guard()}>
      <FormErrors form={form} />
      <p>{t("member.text", { email })}</p>
      <Button look="primary" block name="intent" value="pay" aria-disabled={sending.busy}>
        {t("member.submit")}
      </Button>
    </Form>
  );
}
