import { NewPasswordFields } from "~/forms/new-password-fields";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { Panel } from "~/ui/panel";
import { PasswordInput } from "~/ui/password-input";

type Fields = Record<"currentPassword" | "password" | "passwordConfirmation", string>;
type PasswordPanelProps = { email: string; reply: FormReply | undefined };

export function PasswordPanel({ email, reply }: PasswordPanelProps) {
  const { form, fields, control } = useReply<Fields>("password-form", reply);
  const t = useT("account");
  return (
    <Panel title={t("password.title")} id="password">
      <PostForm form={form} unanswered="failures.password.broken">
        {/* Password managers read here which account changes its password. */}
        <input type="text" value={email} autoComplete="username" readOnly hidden />
        <PasswordInput
          {...control(fields.currentPassword)}
          label={t("password.current")}
          autoComplete="current-password"
          required
        />
        <NewPasswordFields fields={fields} control={control} />
        <SendButton name="intent" value="password">
          {t("password.submit")}
        </SendButton>
        <p className="soft small">{t("password.effect")}</p>
      </PostForm>
    </Panel>
  );
}
