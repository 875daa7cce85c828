import type { Metadata } from "~/contract/accounts";
import type { ArticleSummary } from "~/contract/content";
import type { Visit } from "~/session/visit.server";
import type { ArticleCardData } from "~/ui/article-card";
import { articleCardsOf } from "./cards.server";
import { found, mapResult, type ReadResult } from "./read-result";
import { findReference } from "./reference.server";

/** The largest page that the API gives. */
const PAGE_LENGTH = 100;

/** The favorite articles, the newest favorite first. Deleted articles are left out. */
export async function findFavorites(
  visit: Visit,
  metadata: ReadResult<Metadata>,
): Promise<ReadResult<ArticleCardData[]>> {
  if (metadata.kind !== "found") return metadata;
  const ids = (metadata.value.profile?.favorites ?? []).slice(0, PAGE_LENGTH);
  if (ids.length === 0) return found([]);
  const [list, names] = await Promise.all([
    visit.find("listArticles", { query: { ids, length: PAGE_LENGTH } }),
    findReference(visit),
  ]);
  if (names.kind === "failed") return names;
  return mapResult(list, ({ payload }) => {
    const byUid = new Map(payload.map((one): [string, ArticleSummary] => [one.uid, one]));
    return articleCardsOf(
      ids.flatMap((uid) => byUid.get(uid) ?? []),
      names.value,
    );
  });
}
