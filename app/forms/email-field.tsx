import type { ComponentProps } from "react";
import { EMAIL_LENGTH, EMAIL_PATTERN } from "~/contract/limits";
import { TextInput } from "~/ui/text-input";

/**
 * Only the server writes the pattern: the built script need not carry it, because React leaves an
 * attribute in the page that it does not know. In development React would warn of that.
 */
const writesPattern = import.meta.env.SSR || import.meta.env.DEV;

/** A required e-mail field. */
export function EmailField(field: ComponentProps<typeof TextInput>) {
  return (
    <TextInput
      type="email"
      autoComplete="email"
      maxLength={EMAIL_LENGTH}
      {...(writesPattern && { pattern: EMAIL_PATTERN })}
      required
      {...field}
    />
  );
}
