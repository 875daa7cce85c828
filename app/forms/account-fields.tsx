import { PASSWORD_LENGTH } from "~/contract/limits";
import { useT } from "~/i18n/use-t";
import { PasswordInput } from "~/ui/password-input";
import { EmailField } from "./email-field";
import { TermsField } from "./terms-field";
import type { Control, Field } from "./use-reply";

type AccountFieldsProps = {
  fields: Record<"email" | "password" | "terms", Field>;
  control: Control;
};

/** The fields of a new account, shared by all forms that create one. */
export function AccountFields({ fields, control }: AccountFieldsProps) {
  const t = useT("forms");
  return (
    <>
      <EmailField {...control(fields.email)} label={t("account.email")} />
      <PasswordInput
        {...control(fields.password)}
        label={t("account.password")}
        hint={t("account.passwordHint")}
        autoComplete="new-password"
        minLength={PASSWORD_LENGTH.min}
        maxLength={PASSWORD_LENGTH.max}
        required
      />
      <TermsField field={fields.terms} control={control} />
    </>
  );
}
