import type { TextareaHTMLAttributes } from "react";
import { classNames } from "./class-names";
import { describe, Field, type FieldProps } from "./field";

type TextAreaProps = FieldProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id">;

export function TextArea({ label, hint, error, className, rows = 5, ...area }: TextAreaProps) {
  const field = { id: area.id, label, hint, error };
  return (
    <Field {...field}>
      <textarea
        {...area}
        {...describe(field)}
        rows={rows}
        className={classNames("input", className)}
      />
    </Field>
  );
}
