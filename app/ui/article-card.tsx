import { useT } from "~/i18n/use-t";
import { Cover } from "./art/cover";
import { formatDate } from "./format";
import { SubscriberMark } from "./subscriber-mark";

export type ArticleCardData = {
  uid: string;
  href: string;
  title: string;
  summary: string;
  /** ISO text. */
  date: string;
  category?: string;
  author?: string;
  readingMinutes: number;
  restricted: boolean;
};

type ArticleCardProps = { article: ArticleCardData; level?: 2 | 3 };

/** A card of an article. The title is the link, and the style sheet spreads it over the card. */
export function ArticleCard({ article, level = 2 }: ArticleCardProps) {
  const t = useT("ui");
  const Title = level === 2 ? "h2" : "h3";
  return (
    <article className="card">
      <Cover uid={article.uid} />
      <div className="card__body">
        <p className="card__kicker">
          <span>{article.category}</span>
          {article.restricted && <SubscriberMark />}
        </p>
        <Title className="card__title">
          <a href={article.href}>{article.title}</a>
        </Title>
        <p className="card__text">{article.summary}</p>
        <p className="card__meta">
          {article.author && <span className="card__author">{article.author}</span>}
          <time dateTime={article.date}>{formatDate(article.date)}</time>
          <span>{t("article.minutes", { count: article.readingMinutes })}</span>
        </p>
      </div>
    </article>
  );
}
