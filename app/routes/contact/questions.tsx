import { useT } from "~/i18n/use-t";
import { SectionHeading } from "~/ui/section-heading";

const QUESTIONS = ["answer", "link", "cancel", "refund", "reading"] as const;

export function Questions() {
  const t = useT("contact");
  return (
    <section className="stack" aria-labelledby="questions">
      <SectionHeading id="questions" title={t("questions.title")} />
      <div className="prose prose--faq">
        {QUESTIONS.flatMap((key) => [
          <h3 key={`${key}.question`}>{t(`questions.${key}.question`)}</h3>,
          <p key={`${key}.answer`}>{t(`questions.${key}.answer`)}</p>,
        ])}
      </div>
    </section>
  );
}
