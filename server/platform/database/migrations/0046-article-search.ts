import { PostgresAdapter, sql, type Kysely } from "kysely";

/**
 * The index of words of the articles. `place` is higher the newer the article is. The start fills it, because
 * its words come from code that changes: an index of another version is written anew.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable("article_search")
    .addColumn("place", "bigint", (c) => c.primaryKey())
    .addColumn("article_uid", "text", (c) => c.notNull().unique())
    .addColumn("date", "text", (c) => c.notNull())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("summary", "text", (c) => c.notNull())
    .addColumn("names", "text", (c) => c.notNull())
    .addColumn("subjects", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("article_word")
    .addColumn("token", "text", (c) => c.primaryKey())
    .execute();
  if (db.getExecutor().adapter instanceof PostgresAdapter) return createVectors(db);
  // The tokens are written by the platform: ASCII letters are compared without case, all other bytes as they are.
  await sql`create virtual table article_token using fts5 (tokens, content = '',
    contentless_delete = 1, detail = none,
    tokenize = "ascii tokenchars ':_-'")`.execute(db);
}

async function createVectors(db: Kysely<unknown>) {
  // Like "article", so that an index serves between them.
  await sql`alter table article_search alter column article_uid type text collate "C"`.execute(db);
  // By bytes, as SQLite does, so that all words with one beginning stand together.
  await sql`alter table article_word alter column token type text collate "C"`.execute(db);
  await sql`create table article_token (rowid bigint primary key, tokens tsvector not null)`.execute(
    db,
  );
  // In the row and not beside it: the planner then knows what reading many of them costs.
  await sql`alter table article_token alter column tokens set storage main`.execute(db);
  await sql`create index article_token_by_token on article_token using gin (tokens)`.execute(db);
}
