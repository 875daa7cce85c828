import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import type { ArticleCardData } from "~/ui/article-card";
import { ArticleGrid } from "~/ui/article-grid";
import { ButtonLink } from "~/ui/button";
import { CoachList } from "~/ui/coach-card";
import { Plates } from "~/ui/plates";
import { Prose } from "~/ui/prose";
import { SectionHeading } from "~/ui/section-heading";

const STEPS = ["read", "question", "act"] as const;

export function Steps() {
  const t = useT("home");
  const items = STEPS.map((step) => ({
    title: t(`steps.${step}.title`),
    text: t(`steps.${step}.text`),
  }));
  return (
    <section className="section" aria-labelledby="steps">
      <div className="container">
        <SectionHeading id="steps" title={t("steps.title")} />
        <Plates items={items} />
      </div>
    </section>
  );
}

export function LatestArticles({ articles }: { articles: ArticleCardData[] }) {
  const t = useT("home");
  return (
    <section className="section section--deep" aria-labelledby="latest">
      <div className="container">
        <SectionHeading id="latest" title={t("latest.title")}>
          <ButtonLink href={paths.articles()}>{t("latest.all")}</ButtonLink>
        </SectionHeading>
        <ArticleGrid articles={articles} level={3} />
      </div>
    </section>
  );
}

type Coach = { uid: string; name: string; role?: string | undefined };

export function Team({ coaches }: { coaches: Coach[] }) {
  const t = useT("home");
  return (
    <section className="section" aria-labelledby="coaches">
      <div className="container">
        <SectionHeading id="coaches" title={t("coaches.title")} />
        <CoachList
          coaches={coaches.map(({ uid, name, role }) => ({
            uid,
            name,
            href: paths.articles({ authors: uid }),
            ...(role && { role }),
          }))}
        />
      </div>
    </section>
  );
}

export function Questions({ html }: { html: string }) {
  const t = useT("home");
  return (
    <section className="section" aria-labelledby="questions">
      <div className="container">
        <SectionHeading id="questions" title={t("questions")} />
        <Prose html={html} look="faq" />
      </div>
    </section>
  );
}
