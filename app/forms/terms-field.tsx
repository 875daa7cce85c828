import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Checkbox } from "~/ui/checkbox";
import type { Control, Field } from "./use-reply";

/** Acceptance of the terms. The box is never ticked in advance. */
export function TermsField({ field, control }: { field: Field; control: Control }) {
  const t = useT("forms");
  const { defaultValue, error, ...rest } = control(field);
  return (
    <Checkbox
      {...rest}
      {...(error && { error })}
      value="on"
      defaultChecked={defaultValue === "on"}
      label={
        <>
          {t("terms.before")} <a href={paths.text("terms-of-service")}>{t("terms.link")}</a>.
        </>
      }
      required
    />
  );
}
