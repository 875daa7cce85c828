import type { InputHTMLAttributes } from "react";
import { classNames } from "./class-names";
import { describe, Field, type FieldProps } from "./field";

type TextInputProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, "id"> & {
    /** For a few characters: a year, a code. */
    short?: boolean;
  };

export function TextInput({ label, hint, error, short, className, ...input }: TextInputProps) {
  const field = { id: input.id, label, hint, error };
  return (
    <Field {...field}>
      <input
        type="text"
        {...input}
        {...describe(field)}
        className={classNames("input", short && "input--short", className)}
      />
    </Field>
  );
}
