import { isCardNumber, isExpired, readExpiry } from "~/contract/card";
import { dayOf, lastWishedDay } from "~/contract/day";
import { LOCAL_PART_LENGTH } from "~/contract/limits";
import { isPersonName } from "~/contract/person-name";

/** A form control whose value a person types or chooses. */
export type CheckedField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export const isCheckedField = (target: unknown): target is CheckedField =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;

/**
 * Checks that HTML attributes cannot express, by the name in `data-check`. Null: nothing is wrong.
 */
const checkByName = {
  email: (value) => (value.lastIndexOf("@") > LOCAL_PART_LENGTH ? "invalid" : null),
  personName: (value) => (isPersonName(value.trim()) ? null : "invalid"),
  cardNumber: (value) => (isCardNumber(value) ? null : "invalid"),
  securityCode: (value) => (/^\d{3,4}$/.test(value) ? null : "invalid"),
  expiry: (value) => {
    const expiry = readExpiry(value);
    if (!expiry) return "invalid";
    return isExpired(expiry, new Date()) ? "expired" : null;
  },
  wishedDay: (value) => {
    const now = new Date();
    if (value < dayOf(now)) return "past";
    return value > lastWishedDay(now) ? "far" : null;
  },
  repetition: (value, form) => (value === valueOf(form, "password") ? null : "different"),
} satisfies Record<string, (value: string, form: HTMLFormElement | null) => string | null>;

/** Value of `data-check` on a control. */
export type CheckName = keyof typeof checkByName;

/**
 * The code of a field's fault, named as in the form's schema, or null. The server checks the
 * form again and may find more.
 */
export function faultOf(field: CheckedField): string | null {
  const { value, validity } = field;
  const isBlank = field.type === "password" ? value === "" : value.trim() === "";
  if (field.required && (validity.valueMissing || isBlank)) return "missing";
  if (isBlank && !validity.badInput) return null;
  if (!(field instanceof HTMLSelectElement)) {
    if (field.minLength > 0 && value.length < field.minLength) return "too_short";
    if (field.maxLength > 0 && value.length > field.maxLength) return "too_long";
  }
  if (!validity.valid) return "invalid";
  const name = field.dataset.check;
  return name && isCheckName(name) ? checkByName[name](value, field.form) : null;
}

const isCheckName = (name: string): name is CheckName => Object.hasOwn(checkByName, name);

function valueOf(form: HTMLFormElement | null, name: string) {
  const field = form?.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field.value : null;
}
