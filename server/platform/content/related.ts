import type { ArticleSummary } from "../../../app/contract/content";
import type { Database } from "../database/tables";
import { SUMMARY_COLUMNS, readSummaries } from "./articles";
import { withTag, withValue } from "./by-filter";

const RELATED_LENGTH = 3;
/** Articles of each tag and of the category that are compared. */
const COMPARED = 30;

/** Finds the articles that the article names, then the closest ones by tags and category. */
export async function findRelated(db: Database, article: ArticleSummary) {
  const named = await findNamed(db, article.uid);
  const known = [article.uid, ...named.map((row) => row.uid)];
  const near = await findClosest(db, article, known, RELATED_LENGTH - named.length);
  return readSummaries(db, [...named, ...near]);
}

function findNamed(db: Database, uid: string) {
  return db
    .selectFrom("article_relation")
    .innerJoin("article", "article.uid", "article_relation.related_uid")
    .select(SUMMARY_COLUMNS)
    .where("article_relation.article_uid", "=", uid)
    .where("article.uid", "!=", uid)
    .orderBy("article_relation.position")
    .limit(RELATED_LENGTH)
    .execute();
}

/**
 * Finds articles by closeness: one point per shared tag and for the same category, newest first on
 * a tie. Only the newest of each tag and of the category are compared, so that the time does not grow
 * with the number of articles.
 */
async function findClosest(db: Database, article: ArticleSummary, known: string[], limit: number) {
  if (limit === 0) return [];
  const inCategory = selectNewest(withValue(db, "category_uid", article.category), known);
  const all = article.tags
    .map((tag) => db.selectFrom(selectNewest(withTag(db, tag), known).as("part")).selectAll())
    .reduce(
      (merged, part) => merged.unionAll(part),
      db.selectFrom(inCategory.as("part")).selectAll(),
    );
  const closest = db
    .selectFrom(all.as("near"))
    .select((e) => ["uid", "date", e.fn.countAll<number>().as("points")] as const)
    .groupBy(["uid", "date"])
    .orderBy("points", "desc")
    .orderBy("date", "desc")
    .orderBy("uid", "desc")
    .limit(limit);
  return db
    .selectFrom(closest.as("closest"))
    .innerJoin("article", "article.uid", "closest.uid")
    .select(SUMMARY_COLUMNS)
    .orderBy("closest.points", "desc")
    .orderBy("article.date", "desc")
    .orderBy("article.uid", "desc")
    .execute();
}

const selectNewest = (articles: ReturnType<typeof withTag>, known: string[]) =>
  articles
    .select(["article.uid", "article.date"])
    .where("article.uid", "not in", known)
    .orderBy("article.date", "desc")
    .orderBy("article.uid", "desc")
    .limit(COMPARED);
