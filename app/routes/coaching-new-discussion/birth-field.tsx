import { BIRTH_LENGTH } from "~/contract/limits";
import type { Control, Field } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { TextInput } from "~/ui/text-input";

type BirthFieldProps = {
  field: Field;
  control: Control;
  /** The API keeps it. */
  isTaken: boolean;
};

/** Date, hour and place of birth, in one's own words. What was typed stays, whatever the API tells. */
export function BirthField({ field, control, isTaken }: BirthFieldProps) {
  const t = useT("opening");
  if (!isTaken && field.initialValue === undefined) return null;
  return (
    <TextInput
      {...control(field)}
      label={t("birth.label")}
      hint={t("birth.hint")}
      maxLength={BIRTH_LENGTH}
      autoComplete="off"
    />
  );
}
