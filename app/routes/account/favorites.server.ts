import type { Metadata } from "~/contract/accounts";
import type { ArticleSummary } from "~/contract/content";
import type { Visit } from "~/session/visit.server";
import type { ArticleCardData } from "~/ui/article-card";
import { translate } from "~/i18n/i18n.server";
import { articleCardOf } from "~/api/cards.server";
import { FAILED, found, type ReadResult } from "~/api/read-result";
import { findReference, type Reference } from "~/api/reference.server";

/** Favorites on one page, of the thousand that are kept at most. One read of the API finds them. */
const PAGE_LENGTH = 20;

/** What the list of favorites shows of an article. */
export type Favorite = Pick<ArticleCardData, "uid" | "href" | "title"> & {
  /** Category and reading time, in words. */
  about: string;
};

export type Favorites = {
  articles: Favorite[];
  isNewest: boolean;
  /** The last of these favorites, if older ones follow. */
  olderAfter: string | null;
};

/**
 * One page of the favorite articles, the newest favorite first: those after a favorite, or the newest. Deleted
 * articles are left out.
 */
export async function findFavorites(
  visit: Visit,
  metadata: ReadResult<Metadata>,
  after: string | null,
): Promise<ReadResult<Favorites>> {
  if (metadata.kind !== "found") return metadata;
  // Other programs write them too, perhaps one of them twice.
  const all = [...new Set(metadata.value.profile?.favorites)];
  const start = after === null ? 0 : all.indexOf(after) + 1;
  const ids = all.slice(start, start + PAGE_LENGTH);
  const olderAfter = start + PAGE_LENGTH < all.length ? (ids.at(-1) ?? null) : null;
  const isNewest = start === 0;
  if (ids.length === 0) return found({ articles: [], isNewest, olderAfter });
  const [articles, names] = await Promise.all([findArticles(visit, ids), findReference(visit)]);
  if (articles.kind !== "found" || names.kind !== "found") return FAILED;
  const favorites = ids.flatMap((uid) => {
    const article = articles.value.get(uid);
    return article ? [favoriteOf(article, names.value)] : [];
  });
  return found({ articles: favorites, isNewest, olderAfter });
}

async function findArticles(
  visit: Visit,
  ids: string[],
): Promise<ReadResult<ReadonlyMap<string, ArticleSummary>>> {
  const read = await visit.find("listArticles", { query: { ids, length: PAGE_LENGTH } });
  if (read.kind !== "found") return read;
  return found(new Map(read.value.payload.map((article) => [article.uid, article])));
}

function favoriteOf(article: ArticleSummary, reference: Reference): Favorite {
  const { uid, href, title, readingMinutes, category } = articleCardOf(article, {
    reference,
    isSubscriber: true,
  });
  const minutes = translate("ui", "article.minutes", { count: readingMinutes });
  return { uid, href, title, about: category ? `${category.name}, ${minutes}` : minutes };
}
