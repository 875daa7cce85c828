import type { ComponentProps } from "react";
import { EMAIL_LENGTH } from "~/contract/limits";
import { TextInput } from "~/ui/text-input";

/** A required e-mail field. */
export function EmailField(field: ComponentProps<typeof TextInput>) {
  return (
    <TextInput type="email" autoComplete="email" maxLength={EMAIL_LENGTH} required {...field} />
  );
}
