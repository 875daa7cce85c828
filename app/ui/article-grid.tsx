import { ArticleCard, type ArticleCardData } from "./article-card";

type ArticleGridProps = { articles: ArticleCardData[]; level?: 2 | 3 };

/** A grid of cards. `level` is the heading level of their titles. */
export function ArticleGrid({ articles, level }: ArticleGridProps) {
  return (
    <ul className="grid" data-more-into>
      {articles.map((article, index) => (
        <li key={article.uid} data-next-page={index === 0 ? "" : undefined}>
          <ArticleCard article={article} level={level} />
        </li>
      ))}
    </ul>
  );
}
