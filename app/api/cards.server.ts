import type { ArticleSummary } from "~/contract/content";
import { paths } from "~/paths";
import type { ArticleCardData, ListLink } from "~/ui/article-card";
import type { Reference } from "./reference.server";

/** Articles as cards show them: the uids of category and author become names. */
export function articleCardsOf(articles: readonly ArticleSummary[], reference: Reference) {
  return articles.map((article) => articleCardOf(article, reference));
}

export function articleCardOf(article: ArticleSummary, reference: Reference): ArticleCardData {
  const { uid, title, summary, date, readingMinutes, restricted } = article;
  const category = reference.categories.get(article.category);
  const author = reference.authors.get(article.author);
  return {
    uid,
    title,
    summary,
    date,
    readingMinutes,
    restricted,
    href: paths.article(uid),
    ...(category && { category: listLink("categories", category) }),
    ...(author && { author: listLink("authors", author) }),
    ...(article.excerpt && { excerpt: article.excerpt }),
  };
}

/** The list of an author, a category or a tag. */
export const listLink = (
  kind: "authors" | "categories" | "tags",
  { uid, name }: { uid: string; name: string },
): ListLink => ({ name, href: paths.articles({ [kind]: uid }) });
