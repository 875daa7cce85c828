import type { ArticleSummary } from "~/contract/content";
import { paths } from "~/paths";
import { chooseScenes, sceneOf, type PlaceInList } from "~/ui/art/cover-scene";
import type { ArticleCardData, ListLink } from "~/ui/article-card";
import type { Reference } from "./reference.server";

/** `isSubscriber`: whoever reads all of every article sees no mark of those that others read in part. */
type CardOptions = { reference: Reference; isSubscriber: boolean };

/** A list of articles as cards show them. Neighbours have different covers. */
export function articleCardsOf(
  articles: readonly ArticleSummary[],
  options: CardOptions,
  place?: PlaceInList,
) {
  const covers = chooseScenes(articles, place);
  return articles.map((article, index) => articleCardOf(article, options, covers[index]));
}

/** An article as a card shows it: the uids of category and author become names. */
export function articleCardOf(
  article: ArticleSummary,
  { reference, isSubscriber }: CardOptions,
  cover = sceneOf(article),
): ArticleCardData {
  const { uid, title, summary, date, readingMinutes } = article;
  const category = reference.categories.get(article.category);
  const author = reference.authors.get(article.author);
  return {
    uid,
    title,
    summary,
    cover,
    date,
    readingMinutes,
    isMarked: article.restricted && !isSubscriber,
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
