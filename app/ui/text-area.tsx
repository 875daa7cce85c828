import type { Ref, TextareaHTMLAttributes } from "react";
import { classNames } from "./class-names";
import { describe, Field, type FieldProps } from "./field";

type TextAreaProps = FieldProps &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id"> & { areaRef?: Ref<HTMLTextAreaElement> };

export function TextArea({
  label,
  hint,
  error,
  className,
  areaRef,
  rows = 5,
  ...area
}: TextAreaProps) {
  const field = { id: area.id, label, hint, error };
  return (
    <Field {...field}>
      <textarea
        {...area}
        ref={areaRef}
        {...describe(field)}
        rows={rows}
        // `keepTyped` empties the element to keep its value.
        suppressHydrationWarning
        className={classNames("input", className)}
      />
    </Field>
  );
}
