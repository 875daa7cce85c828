import { sql } from "kysely";
import type { ArticleSummary } from "../../../app/contract/content";
import type { Database } from "../database/tables";
import { SUMMARY, summaries } from "./articles";

const RELATED_LENGTH = 3;

/** The ones the article names, then the closest by tags and category; never itself. */
export async function findRelated(db: Database, article: ArticleSummary) {
  const named = await namedBy(db, article.uid);
  const known = [article.uid, ...named.map((row) => row.uid)];
  const near = await nearTo(db, article, known, RELATED_LENGTH - named.length);
  return summaries(db, [...named, ...near]);
}

function namedBy(db: Database, uid: string) {
  return db
    .selectFrom("article_relation")
    .innerJoin("article", "article.uid", "article_relation.related_uid")
    .select(SUMMARY)
    .where("article_relation.article_uid", "=", uid)
    .where("article.uid", "!=", uid)
    .orderBy("article_relation.position")
    .limit(RELATED_LENGTH)
    .execute();
}

/** A shared tag and a shared category count alike; the latest first where they draw. */
async function nearTo(db: Database, article: ArticleSummary, known: string[], limit: number) {
  if (limit === 0) return [];
  const shared = db
    .selectFrom("article_tag")
    .select(["article_uid", sql<number>`count(*)`.as("tags")])
    // An article without tags shares none: `in ()` is no SQL, a uid that cannot exist is.
    .where("tag_uid", "in", article.tags.length ? article.tags : [""])
    .groupBy("article_uid")
    .as("shared");
  const sameCategory = sql<number>`case when article.category_uid = ${article.category} then 1 else 0 end`;
  const closeness = sql<number>`coalesce(shared.tags, 0) + ${sameCategory}`;
  return db
    .selectFrom("article")
    .leftJoin(shared, "shared.article_uid", "article.uid")
    .select(SUMMARY)
    .where("article.uid", "not in", known)
    .where(closeness, ">", 0)
    .orderBy(closeness, "desc")
    .orderBy("article.date", "desc")
    .orderBy("article.uid", "desc")
    .limit(limit)
    .execute();
}
