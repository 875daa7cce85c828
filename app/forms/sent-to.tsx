import { useT } from "~/i18n/use-t";

/** Repeats the e-mail that was typed, so that a typo shows. Null where the session no longer has it. */
export function SentTo({ email }: { email: string | null }) {
  const t = useT("forms");
  if (email === null) return null;
  return (
    <p>
      {t("sentTo")} <strong className="notranslate">{email}</strong>
    </p>
  );
}
