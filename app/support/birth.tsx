import { useT } from "~/i18n/use-t";

/** What the person of a discussion told of their birth, at its top. */
export function Birth({ text }: { text: string | undefined }) {
  const t = useT("support");
  return (
    text && (
      <p>
        <span className="soft">{t("birth")}</span> <bdi>{text}</bdi>
      </p>
    )
  );
}
