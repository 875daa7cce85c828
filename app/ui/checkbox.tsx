import type { InputHTMLAttributes, ReactNode } from "react";
import { describe, FieldError, FieldHint, type FieldProps } from "./field";

type CheckboxProps = Omit<FieldProps, "label"> &
  Omit<InputHTMLAttributes<HTMLInputElement>, "id"> & {
    /** May hold links, e.g. to the terms. */
    label: ReactNode;
  };

/** Also a radio button, with `type="radio"`. */
export function Checkbox({ label, hint, error, ...input }: CheckboxProps) {
  return (
    <div className="check">
      <input type="checkbox" {...input} {...describe({ id: input.id, label: "", hint, error })} />
      <label htmlFor={input.id}>{label}</label>
      {hint && <FieldHint id={input.id} text={hint} />}
      <FieldError id={input.id} text={error} />
    </div>
  );
}
