import { useT } from "~/i18n/use-t";
import { HONEYPOT_FIELD } from "./secrets";

/** A field that only bots fill. It is hidden from people and from assistive technology. */
export function HoneypotField() {
  const t = useT("forms");
  return (
    <div className="visually-hidden" aria-hidden="true">
      <label htmlFor={HONEYPOT_FIELD}>{t("honeypot")}</label>
      <input id={HONEYPOT_FIELD} name={HONEYPOT_FIELD} tabIndex={-1} autoComplete="off" />
    </div>
  );
}
