import { CARD_NUMBER_MAX, NAME_LENGTH } from "~/contract/limits";
import { groupInFours } from "~/forms/group-in-fours";
import type { Control, Field } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { TextInput } from "~/ui/text-input";
import type { Fields } from "./fields";

type FieldsProps<Name extends keyof Fields> = {
  fields: Record<Name, Field>;
  control: Control;
};

export function NameFields({ fields, control }: FieldsProps<"firstName" | "lastName">) {
  const t = useT("card");
  return (
    <div className="field-row">
      <TextInput
        {...control(fields.firstName)}
        label={t("firstName")}
        autoComplete="given-name"
        data-check="personName"
        maxLength={NAME_LENGTH.max}
        required
      />
      <TextInput
        {...control(fields.lastName)}
        label={t("lastName")}
        autoComplete="family-name"
        data-check="personName"
        maxLength={NAME_LENGTH.max}
        required
      />
    </div>
  );
}

/** Card fields with HTML's autofill names. Number and code are never sent back to the page. */
export function CardFields({
  fields,
  control,
}: FieldsProps<"cardNumber" | "expiry" | "cvv" | "cardholder">) {
  const t = useT("card");
  return (
    <>
      <TextInput
        {...control(fields.cardNumber)}
        label={t("cardNumber")}
        hint={t("cardNumberHint")}
        inputMode="numeric"
        autoComplete="cc-number"
        data-check="cardNumber"
        onInput={groupInFours}
        maxLength={CARD_NUMBER_MAX}
        required
      />
      <div className="field-row">
        <TextInput
          {...control(fields.expiry)}
          label={t("expiry")}
          hint={t("expiryHint")}
          inputMode="numeric"
          autoComplete="cc-exp"
          data-check="expiry"
          maxLength={9}
          required
        />
        <TextInput
          {...control(fields.cvv)}
          label={t("cvv")}
          hint={t("cvvHint")}
          inputMode="numeric"
          autoComplete="cc-csc"
          data-check="securityCode"
          maxLength={4}
          required
        />
      </div>
      <TextInput
        {...control(fields.cardholder)}
        label={t("cardholder")}
        hint={t("cardholderHint")}
        autoComplete="cc-name"
        maxLength={100}
        required
      />
    </>
  );
}
