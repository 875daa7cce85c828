import { Form } from "@remix-run/react";
import { FormErrors } from "~/forms/form-errors";
import { NewPasswordFields } from "~/forms/new-password-fields";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useSending } from "~/forms/use-sending";
import { useT } from "~/i18n/use-t";
import { Button } from "~/ui/button";
import { Panel } from "~/ui/panel";
import { PasswordInput } from "~/ui/password-input";

type Fields = Record<"currentPassword" | "password" | "passwordConfirmation", string>;
type PasswordPanelProps = { email: string; reply: FormReply | undefined };

export function PasswordPanel({ email, reply }: PasswordPanelProps) {
  const { form, fields, control } = useReply<Fields>("password-form", reply);
  const sending = useSending();
  const t = useT("account");
  return (
    <Panel title={t("password.title")} id="password">
      <Form
        method="post"
        className="form"
        id={form.id}
        noValidate={form.noValidate}
        onSubmit={sending.guard(form.onSubmit)}
      >
        <FormErrors form={form} />
        {/* Password managers learn from it whose password changes. */}
        <input type="text" value={email} autoComplete="username" readOnly hidden />
        <PasswordInput
          {...control(fields.currentPassword)}
          label={t("password.current")}
          autoComplete="current-password"
          required
        />
        <NewPasswordFields fields={fields} control={control} />
        <Button name="intent" value="password" aria-disabled={sending.busy}>
          {t("password.submit")}
        </Button>
        <p className="soft small">{t("password.effect")}</p>
      </Form>
    </Panel>
  );
}
