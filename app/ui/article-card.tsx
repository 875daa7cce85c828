import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import { Cover } from "./art/cover";
import type { CoverScene } from "./art/cover-scene";
import { formatDate } from "../i18n/format";
import { SubscriberMark } from "./subscriber-mark";

export type ArticleCardData = {
  uid: string;
  href: string;
  title: string;
  summary: string;
  cover: CoverScene;
  /** ISO text. */
  date: string;
  category?: ListLink;
  author?: ListLink;
  readingMinutes: number;
  /** Its reader, who is no subscriber, can read it in part only. */
  isMarked: boolean;
  /** Parts of the text in turn: not searched for, searched for, not searched for … */
  excerpt?: string[];
};

/** Leads to the articles of an author, category or tag. */
export type ListLink = { name: string; href: string };

type ArticleCardProps = {
  article: ArticleCardData;
  level?: 2 | 3;
  /** What can be done with the article, in `.card__action`: above the link that covers the card. */
  children?: ReactNode;
};

/** A card of an article. The title is the link, and the style sheet spreads it over the card. */
export function ArticleCard({ article, level = 2, children }: ArticleCardProps) {
  const t = useT("ui");
  const Title = level === 2 ? "h2" : "h3";
  return (
    <article className="card">
      <Cover uid={article.uid} scene={article.cover} />
      <div className="card__body">
        <Title className="card__title">
          <a href={article.href}>{article.title}</a>
        </Title>
        {/* Set above the title by the style sheet: the first link of a card is that of its article. */}
        <p className="card__kicker">
          {article.category && <a href={article.category.href}>{article.category.name}</a>}
          {article.isMarked && <SubscriberMark />}
        </p>
        <p className="card__text">
          {article.excerpt ? <Excerpt parts={article.excerpt} /> : article.summary}
        </p>
        <p className="card__meta">
          {article.author && (
            <a className="card__author" href={article.author.href}>
              {article.author.name}
            </a>
          )}
          <time dateTime={article.date}>{formatDate(article.date)}</time>
          <span>{t("article.minutes", { count: article.readingMinutes })}</span>
        </p>
        {children}
      </div>
    </article>
  );
}

const Excerpt = ({ parts }: { parts: string[] }) =>
  parts.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
