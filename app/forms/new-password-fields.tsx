import { PASSWORD_LENGTH } from "~/contract/limits";
import { useT } from "~/i18n/use-t";
import { PasswordInput } from "~/ui/password-input";
import type { Control, Field } from "./use-reply";

type NewPasswordFieldsProps = {
  fields: Record<"password" | "passwordConfirmation", Field>;
  control: Control;
};

export function NewPasswordFields({ fields, control }: NewPasswordFieldsProps) {
  const t = useT("forms");
  return (
    <>
      <PasswordInput
        {...control(fields.password)}
        label={t("account.newPassword")}
        hint={t("account.passwordHint")}
        autoComplete="new-password"
        minLength={PASSWORD_LENGTH.min}
        maxLength={PASSWORD_LENGTH.max}
        required
      />
      <PasswordInput
        {...control(fields.passwordConfirmation)}
        label={t("account.passwordConfirmation")}
        autoComplete="new-password"
        data-check="repetition"
        required
      />
    </>
  );
}
