import type { Metadata } from "~/contract/accounts";
import type { ArticleSummary } from "~/contract/content";
import type { Visit } from "~/session/enter.server";
import type { ArticleCardData } from "~/ui/article-card";
import { cardsOf } from "./cards.server";
import { found, mapFound, type Found } from "./found";
import { findReference } from "./reference.server";

/** As many as one call gives. */
const SHOWN = 100;

/** Kept articles in the order they were kept, newest first; what was withdrawn is left out. */
export async function findFavorites(
  visit: Visit,
  metadata: Found<Metadata>,
): Promise<Found<ArticleCardData[]>> {
  if (metadata.kind !== "found") return metadata;
  const ids = (metadata.value.profile?.favorites ?? []).slice(0, SHOWN);
  if (ids.length === 0) return found([]);
  const [list, names] = await Promise.all([
    visit.find("listArticles", { query: { ids, length: SHOWN } }),
    findReference(visit),
  ]);
  if (names.kind === "failed") return names;
  return mapFound(list, ({ payload }) => {
    const byUid = new Map(payload.map((one): [string, ArticleSummary] => [one.uid, one]));
    return cardsOf(
      ids.flatMap((uid) => byUid.get(uid) ?? []),
      names.value,
    );
  });
}
