import { mdiAlertCircleOutline } from "@mdi/js";
import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import { Icon } from "./icon";
import { VisuallyHidden } from "./visually-hidden";

export type FieldProps = {
  id: string;
  label: string;
  hint?: string;
  error?: string;
};

/** Label, hint, control and error, in reading order. */
export function Field({ id, label, hint, error, children }: FieldProps & { children: ReactNode }) {
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      {hint && <FieldHint id={id} text={hint} />}
      <FieldError id={id} text={error} />
      {children}
    </div>
  );
}

export function FieldHint({ id, text }: { id: string; text: string }) {
  return (
    <p className="field__hint" id={`${id}-hint`}>
      {text}
    </p>
  );
}

/** The error of a field; nothing without a text. */
export function FieldError({ id, text }: { id: string; text?: string }) {
  const t = useT("ui");
  if (!text) return null;
  return (
    <p className="field__error" id={`${id}-error`}>
      <Icon path={mdiAlertCircleOutline} />
      <span>
        <VisuallyHidden>{t("field.error")} </VisuallyHidden>
        {text}
      </span>
    </p>
  );
}

/** The ARIA attributes that tie a control to its hint and error. */
export function describe({ id, hint, error }: FieldProps) {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return {
    "aria-describedby": ids || undefined,
    "aria-invalid": error ? (true as const) : undefined,
  };
}
