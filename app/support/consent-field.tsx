import type { Control, Field } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { Checkbox } from "~/ui/checkbox";

type ConsentFieldProps = { field: Field; control: Control; required?: boolean };

/**
 * Consent to the handling of sensitive information (RGPD, article 9-2-a). The box is never ticked in
 * advance, and has words of its own.
 */
export function ConsentField({ field, control, required = true }: ConsentFieldProps) {
  const t = useT("coaching");
  const { defaultValue, error, ...rest } = control(field);
  return (
    <Checkbox
      {...rest}
      {...(error && { error })}
      value="on"
      defaultChecked={defaultValue === "on"}
      label={t("consent.label")}
      hint={t("consent.hint")}
      required={required}
    />
  );
}
