import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import type { ArticleCardData } from "./article-card";
import { CoachPortrait } from "./art/coach-portrait";
import { Cover } from "./art/cover";
import { Cluster } from "./cluster";
import { formatDate } from "../i18n/format";
import { SubscriberMark } from "./subscriber-mark";

type ArticleHeaderProps = {
  article: Omit<ArticleCardData, "href">;
  authorUid?: string;
};

/** Title, summary, author, date and reading time, with the cover as a plate beside them. */
export function ArticleHeader({ article, authorUid }: ArticleHeaderProps) {
  const t = useT("ui");
  return (
    <header className="article__header">
      <div className="article__heading">
        <Cluster className="soft small">
          {article.category && <a href={article.category.href}>{article.category.name}</a>}
          {article.isMarked && <SubscriberMark />}
        </Cluster>
        <h1>{article.title}</h1>
        <p className="article__lead">{article.summary}</p>
        <div className="byline">
          {authorUid && <CoachPortrait uid={authorUid} />}
          <div>
            {article.author && (
              <p>
                {t("article.by")} <a href={article.author.href}>{article.author.name}</a>
              </p>
            )}
            <p className="byline__facts">
              <time dateTime={article.date}>{formatDate(article.date)}</time>{" "}
              <span>{t("article.minutes", { count: article.readingMinutes })}</span>
            </p>
          </div>
        </div>
      </div>
      <div className="plate">
        <Cover uid={article.uid} scene={article.cover} />
      </div>
    </header>
  );
}

type ArticleColumnsProps = {
  /** Favourites, share row: beside the text from lg, below it on smaller screens. */
  aside?: ReactNode;
  children: ReactNode;
};

/** The text of an article and what goes with it. */
export function ArticleColumns({ aside, children }: ArticleColumnsProps) {
  return (
    <div className="article__columns">
      <div className="article__main">{children}</div>
      {aside && <div className="article__aside">{aside}</div>}
    </div>
  );
}
