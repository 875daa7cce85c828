import type { Metadata } from "~/contract/accounts";
import type { ArticleSummary } from "~/contract/content";
import type { Visit } from "~/session/visit.server";
import type { ArticleCardData } from "~/ui/article-card";
import { articleCardOf } from "./cards.server";
import { FAILED, found, type ReadResult } from "./read-result";
import { findReference, type Reference } from "./reference.server";

/** The largest page that the API gives. A thousand favorites are kept at most. */
const PAGE_LENGTH = 100;

/** What the list of favorites shows of an article. */
export type Favorite = Pick<ArticleCardData, "uid" | "href" | "title" | "readingMinutes"> & {
  category?: string;
};

/** The favorite articles, the newest favorite first. Deleted articles are left out. */
export async function findFavorites(
  visit: Visit,
  metadata: ReadResult<Metadata>,
): Promise<ReadResult<Favorite[]>> {
  if (metadata.kind !== "found") return metadata;
  const ids = metadata.value.profile?.favorites ?? [];
  if (ids.length === 0) return found([]);
  const [articles, names] = await Promise.all([findArticles(visit, ids), findReference(visit)]);
  if (articles.kind !== "found" || names.kind !== "found") return FAILED;
  return found(
    ids.flatMap((uid) => {
      const article = articles.value.get(uid);
      return article ? [favoriteOf(article, names.value)] : [];
    }),
  );
}

async function findArticles(
  visit: Visit,
  ids: readonly string[],
): Promise<ReadResult<ReadonlyMap<string, ArticleSummary>>> {
  const batches = Array.from({ length: Math.ceil(ids.length / PAGE_LENGTH) }, (_, index) =>
    ids.slice(index * PAGE_LENGTH, (index + 1) * PAGE_LENGTH),
  );
  const reads = await Promise.all(
    batches.map((ids) => visit.find("listArticles", { query: { ids, length: PAGE_LENGTH } })),
  );
  if (reads.some(({ kind }) => kind === "failed")) return FAILED;
  const articles = reads.flatMap((read) => (read.kind === "found" ? read.value.payload : []));
  return found(new Map(articles.map((article) => [article.uid, article])));
}

function favoriteOf(article: ArticleSummary, reference: Reference): Favorite {
  const { uid, href, title, readingMinutes, category } = articleCardOf(article, reference);
  return { uid, href, title, readingMinutes, ...(category && { category: category.name }) };
}
