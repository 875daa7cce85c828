import { Form } from "@remix-run/react";
import { FormErrors } from "~/forms/form-errors";
import { HoneypotField } from "~/forms/honeypot-field";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useSending } from "~/forms/use-sending";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { TextInput } from "~/ui/text-input";

type RequestFormProps = { email: string; reply: FormReply | undefined };

export function RequestForm({ email, reply }: RequestFormProps) {
  const { form, fields, control } = useReply<{ email: string }>("reset", reply, { email });
  const sending = useSending();
  const t = useT("reset");
  return (
    <Form
      method="post"
      action={paths.resetPassword()}
      className="form"
      id={form.id}
      noValidate={form.noValidate}
      onSubmit={sending.guard(form.onSubmit)}
    >
      <FormErrors form={form} />
      <TextInput
        {...control(fields.email)}
        label={t("email")}
        type="email"
        autoComplete="username"
        maxLength={254}
        required
      />
      <HoneypotField />
      <Button look="primary" block aria-disabled={sending.busy}>
        {t("submit")}
      </Button>
      <p>
        <a href={paths.login()}>{t("login")}</a>
      </p>
    </Form>
  );
}

export function Sent() {
  const t = useT("reset");
  return (
    <>
      <Notice tone="success" title={t("sent.title")} live>
        <p>{t("sent.text")}</p>
      </Notice>
      <p className="cluster">
        <ButtonLink href={paths.login()}>{t("login")}</ButtonLink>
        <ButtonLink look="quiet" href={paths.resetPassword()}>
          {t("sent.again")}
        </ButtonLink>
      </p>
    </>
  );
}
