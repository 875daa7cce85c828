import { PASSWORD_LENGTH } from "~/contract/limits";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { PasswordInput } from "~/ui/password-input";
import { EmailField } from "./email-field";
import { TermsField } from "./terms-field";
import type { Control, Field } from "./use-reply";

type AccountFieldsProps = {
  fields: Record<"email" | "password" | "terms", Field>;
  control: Control;
  /** The account exists by now, and only signing in failed. */
  created?: boolean | undefined;
};

/** The fields of a new account, shared by all forms that create one. */
export function AccountFields({ fields, control, created = false }: AccountFieldsProps) {
  const t = useT("forms");
  return (
    <>
      {created && (
        <p>
          <a className="lone" href={paths.login()}>
            {t("account.signIn")}
          </a>
        </p>
      )}
      <EmailField {...control(fields.email)} label={t("account.email")} data-check="email" />
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
