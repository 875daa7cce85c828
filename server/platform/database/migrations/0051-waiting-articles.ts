import type { Kysely } from "kysely";

/**
 * Drafts, and articles that are published later: no list of articles knows them. What others name as related waits
 * with them, because a relation leads to a published article.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable("waiting_article")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("publish_at", "text")
    .execute();
  await db.schema
    .createTable("waiting_relation")
    .addColumn("article_uid", "text", (c) => c.notNull())
    .addColumn("related_uid", "text", (c) => c.notNull())
    .addColumn("position", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("waiting_relation_key", ["related_uid", "article_uid"])
    .execute();
  await db.schema
    .createIndex("waiting_article_by_time")
    .on("waiting_article")
    .column("publish_at")
    .execute();
}
