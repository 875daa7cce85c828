import type { ArticleSummary } from "~/contract/content";
import type { ArticleCardData } from "~/ui/article-card";
import { translate } from "~/i18n/i18n.server";
import { articleCardOf } from "~/api/cards.server";
import type { Favorites } from "~/api/favorites.server";
import type { Reference } from "~/api/reference.server";

const SHOWN = 5;

/** What the account shows of a favorite article. */
export type Favorite = Pick<ArticleCardData, "uid" | "href" | "title"> & {
  /** Category and reading time, in words. */
  about: string;
};

export type LatestFavorites = { latest: Favorite[]; isEmpty: boolean };

/** The favorites that were kept last. The page of the favorites has the others. */
export function latestOf({ articles, reference, olderAfter }: Favorites): LatestFavorites {
  const latest = articles.slice(0, SHOWN).map((article) => favoriteOf(article, reference));
  return { latest, isEmpty: latest.length === 0 && olderAfter === null };
}

function favoriteOf(article: ArticleSummary, reference: Reference): Favorite {
  const { uid, href, title, readingMinutes, category } = articleCardOf(article, {
    reference,
    isSubscriber: true,
  });
  const minutes = translate("ui", "article.minutes", { count: readingMinutes });
  return { uid, href, title, about: category ? `${category.name}, ${minutes}` : minutes };
}
