import { PASSWORD_LENGTH } from "~/contract/limits";
import { TermsField } from "~/forms/terms-field";
import type { Control, Field } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { FieldGroup } from "~/ui/field-group";
import { PasswordInput } from "~/ui/password-input";
import { TextInput } from "~/ui/text-input";
import type { Fields } from "./fields";

export type FieldsProps<Name extends keyof Fields> = {
  fields: Record<Name, Field>;
  control: Control;
};

/** The account that is made on the way. */
export function AccountFields({ fields, control }: FieldsProps<"email" | "password" | "terms">) {
  const t = useT("card");
  return (
    <FieldGroup legend={t("account")}>
      <TextInput
        {...control(fields.email)}
        label={t("email")}
        type="email"
        autoComplete="email"
        maxLength={254}
        required
      />
      <PasswordInput
        {...control(fields.password)}
        label={t("password")}
        hint={t("passwordHint")}
        autoComplete="new-password"
        minLength={PASSWORD_LENGTH.min}
        maxLength={PASSWORD_LENGTH.max}
        required
      />
      <TermsField field={fields.terms} control={control} />
    </FieldGroup>
  );
}
