import { EmailField } from "~/forms/email-field";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { PasswordInput } from "~/ui/password-input";

type Fields = Record<"newEmail" | "currentPassword", string>;
type EmailFormProps = { email: string; action: string; reply: FormReply | undefined };

export function EmailForm({ email, action, reply }: EmailFormProps) {
  const { form, fields, control } = useReply<Fields>("email", reply);
  const t = useT("email");
  return (
    <PostForm form={form} action={action}>
      {/* Password managers read here which account the password is of. */}
      <input type="text" value={email} autoComplete="username" readOnly hidden />
      <EmailField {...control(fields.newEmail)} label={t("label")} />
      <PasswordInput
        {...control(fields.currentPassword)}
        label={t("password")}
        autoComplete="current-password"
        required
      />
      <SendButton look="primary" block>
        {t("submit")}
      </SendButton>
      <p className="soft small">{t("effect")}</p>
    </PostForm>
  );
}
