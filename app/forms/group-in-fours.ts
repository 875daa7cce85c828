import type { FormEvent } from "react";

/** Shows a card number as it stands on the card while it is typed. A change in its middle moves nothing. */
export function groupInFours({ currentTarget: field }: FormEvent<HTMLInputElement>) {
  const { value, selectionStart } = field;
  if (selectionStart !== value.length || /[^\d\s]/.test(value)) return;
  const grouped = value.replace(/\s/g, "").replace(/\d{4}(?=\d)/g, "$& ");
  if (grouped !== value) field.value = grouped;
}
