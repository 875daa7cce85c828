import { sql } from "kysely";
import type { ArticleSummary } from "../../../app/contract/content";
import type { Database } from "../database/tables";
import { SUMMARY_COLUMNS, readSummaries } from "./articles";

const RELATED_LENGTH = 3;

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
 * a tie.
 */
async function findClosest(db: Database, article: ArticleSummary, known: string[], limit: number) {
  if (limit === 0) return [];
  const shared = db
    .selectFrom("article_tag")
    .select(["article_uid", sql<number>`count(*)`.as("tags")])
    // `in ()` is invalid SQL, so an article without tags compares with a uid that cannot exist.
    .where("tag_uid", "in", article.tags.length ? article.tags : [""])
    .groupBy("article_uid")
    .as("shared");
  const sameCategory = sql<number>`case when article.category_uid = ${article.category} then 1 else 0 end`;
  const closeness = sql<number>`coalesce(shared.tags, 0) + ${sameCategory}`;
  return db
    .selectFrom("article")
    .leftJoin(shared, "shared.article_uid", "article.uid")
    .select(SUMMARY_COLUMNS)
    .where("article.uid", "not in", known)
    .where(closeness, ">", 0)
    .orderBy(closeness, "desc")
    .orderBy("article.date", "desc")
    .orderBy("article.uid", "desc")
    .limit(limit)
    .execute();
}
