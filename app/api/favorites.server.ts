import type { Metadata } from "~/contract/accounts";
import type { ArticleSummary } from "~/contract/content";
import type { Visit } from "~/session/visit.server";
import { FAILED, found, type ReadResult } from "./read-result";
import { findReference, NO_REFERENCE, type Reference } from "./reference.server";

/** Favorites on one page, of the thousand that are kept at most. One read of the API finds them. */
const PAGE_LENGTH = 20;

export type Favorites = {
  /** The newest favorite first. */
  articles: ArticleSummary[];
  /** The names that these articles refer to. */
  reference: Reference;
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
  after: string | null = null,
): Promise<ReadResult<Favorites>> {
  if (metadata.kind !== "found") return metadata;
  // Other programs write them too, perhaps one of them twice.
  const all = [...new Set(metadata.value.profile?.favorites)];
  const start = after === null ? 0 : all.indexOf(after) + 1;
  const ids = all.slice(start, start + PAGE_LENGTH);
  const olderAfter = start + PAGE_LENGTH < all.length ? (ids.at(-1) ?? null) : null;
  const isNewest = start === 0;
  if (ids.length === 0) {
    return found({ articles: [], reference: NO_REFERENCE, isNewest, olderAfter });
  }
  const [articles, names] = await Promise.all([findArticles(visit, ids), findReference(visit)]);
  if (articles.kind !== "found" || names.kind !== "found") return FAILED;
  const kept = ids.flatMap((uid) => articles.value.get(uid) ?? []);
  return found({ articles: kept, reference: names.value, isNewest, olderAfter });
}

async function findArticles(
  visit: Visit,
  ids: string[],
): Promise<ReadResult<ReadonlyMap<string, ArticleSummary>>> {
  const read = await visit.find("listArticles", { query: { ids, length: PAGE_LENGTH } });
  if (read.kind !== "found") return read;
  return found(new Map(read.value.payload.map((article) => [article.uid, article])));
}
