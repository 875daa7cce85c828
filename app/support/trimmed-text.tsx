import { useT } from "~/i18n/use-t";

type TrimmedTextProps = { text?: string; isShort?: boolean };

/** What was cut from a reply by mail, such as a quotation that may hold answers. Unfolds without script. */
export function TrimmedText({ text, isShort = false }: TrimmedTextProps) {
  const t = useT("support");
  if (!text) return null;
  return (
    <details className="message__rest">
      <summary>{t("trimmed.show")}</summary>
      {isShort && <p className="soft">{t("trimmed.short")}</p>}
      <p className="message__trimmed" dir="auto">
        {text}
      </p>
    </details>
  );
}
