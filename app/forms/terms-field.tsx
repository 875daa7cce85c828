import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Checkbox } from "~/ui/checkbox";
import type { Control, Field } from "./use-reply";

type TermsFieldProps = {
  field: Field;
  control: Control;
  /** Address of the version that is accepted; the page of the terms by default. */
  href?: string;
  hint?: string | undefined;
};

/** Acceptance of the terms. The box is never ticked in advance. */
export function TermsField({ field, control, hint, ...link }: TermsFieldProps) {
  const { href = paths.text("terms-of-service") } = link;
  const t = useT("forms");
  const { defaultValue, error, ...rest } = control(field);
  return (
    <Checkbox
      {...rest}
      {...(error && { error })}
      {...(hint && { hint })}
      value="on"
      defaultChecked={defaultValue === "on"}
      label={
        <>
          {t("terms.before")} <a href={href}>{t("terms.link")}</a>.
        </>
      }
      required
    />
  );
}
