import type { SelectHTMLAttributes } from "react";
import { classNames } from "./class-names";
import { describe, Field, type FieldProps } from "./field";

type SelectProps = FieldProps & Omit<SelectHTMLAttributes<HTMLSelectElement>, "id">;

/** Children are `<option>`s. */
export function Select({ label, hint, error, className, ...select }: SelectProps) {
  const field = { id: select.id, label, hint, error };
  return (
    <Field {...field}>
      <select {...select} {...describe(field)} className={classNames("input", className)} />
    </Field>
  );
}
