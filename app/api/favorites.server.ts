import type { ArticleSummary } from "~/contract/content";
import type { Visit } from "~/session/enter.server";

/** As many as one call gives. */
const SHOWN = 100;

/** Kept articles in the order they were kept, newest first; what was withdrawn is left out. */
export async function favoriteArticles(visit: Visit, favorites: readonly string[]) {
  const ids = favorites.slice(0, SHOWN);
  if (ids.length === 0) return [];
  const { payload } = await visit.read("listArticles", { query: { ids, length: SHOWN } });
  const byUid = new Map(payload.map((article): [string, ArticleSummary] => [article.uid, article]));
  return ids.flatMap((uid) => byUid.get(uid) ?? []);
}
