import { useEffect, useState, type InputHTMLAttributes } from "react";
import { useT } from "~/i18n/use-t";
import { classNames } from "./class-names";
import { describe, Field, type FieldProps } from "./field";

type PasswordInputProps = FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "type">;

/** A password field. The button that shows the password appears only after hydration. */
export function PasswordInput({ label, hint, error, className, ...input }: PasswordInputProps) {
  const t = useT("ui");
  const [ready, setReady] = useState(false);
  const [shown, setShown] = useState(false);
  useEffect(() => setReady(true), []);
  const field = { id: input.id, label, hint, error };
  return (
    <Field {...field}>
      <div className={classNames("password", ready && "password--ready")}>
        <input
          {...input}
          {...describe(field)}
          type={shown ? "text" : "password"}
          className={classNames("input", className)}
        />
        {ready && (
          <button
            type="button"
            className="password__toggle"
            aria-pressed={shown}
            aria-controls={input.id}
            onClick={() => setShown(!shown)}
          >
            {t("password.show")}
          </button>
        )}
      </div>
    </Field>
  );
}
