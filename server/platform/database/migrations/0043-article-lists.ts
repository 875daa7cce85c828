import { PostgresAdapter, sql, type Kysely } from "kysely";

/**
 * Each list of articles is read from an index in its own order. Before, their time grew with the number of
 * articles, and that of a subscription with the number of all contracts (docs/performance.md).
 */
export async function up(db: Kysely<unknown>) {
  await describeTags(db);
  await nameAuthors(db);
  if (db.getExecutor().adapter instanceof PostgresAdapter) await compareByBytes(db);
  for (const old of ["category_uid", "author_uid", "menu"]) {
    await db.schema.dropIndex(`article_by_${old}`).execute();
  }
  await db.schema.dropIndex("article_tag_by_tag").execute();
  await createIndexes(db);
}

/** Beside each tag of an article stands what its list is sorted and filtered by. */
async function describeTags(db: Kysely<unknown>) {
  for (const column of ["date", "category_uid", "author_uid"]) {
    await db.schema
      .alterTable("article_tag")
      .addColumn(column, "text", (c) => c.notNull().defaultTo(""))
      .execute();
    const value = sql`(select ${sql.ref(column)} from article where uid = article_uid)`;
    await sql`update article_tag set ${sql.ref(column)} = ${value}`.execute(db);
  }
}

async function nameAuthors(db: Kysely<unknown>) {
  await db.schema
    .alterTable("article")
    .addColumn("author_sort_name", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await sql`update article set author_sort_name =
    (select sort_name from author where author.uid = author_uid)`.execute(db);
}

/** Columns that are compared with those that compare by bytes already, or stand in for them. */
const COMPARED = [
  ["article", "author_sort_name"],
  ["article_tag", "article_uid"],
  ["article_tag", "date"],
  ["article_relation", "article_uid"],
  ["article_relation", "related_uid"],
] as const;

/** SQLite compares text by its bytes; PostgreSQL uses no index between columns that compare differently. */
async function compareByBytes(db: Kysely<unknown>) {
  for (const [table, column] of COMPARED) {
    await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} type text collate "C"`.execute(
      db,
    );
  }
}

async function createIndexes(db: Kysely<unknown>) {
  const create = (name: string) => db.schema.createIndex(name);
  await create("article_by_category")
    .on("article")
    .columns(["category_uid", "date", "uid", "author_uid"])
    .execute();
  await create("article_by_author").on("article").columns(["author_uid", "date", "uid"]).execute();
  await create("article_by_place")
    .on("article")
    .columns(["menu", "date desc", "uid desc"])
    .execute();
  await create("article_by_author_name")
    .on("article")
    .columns(["author_sort_name", "date desc", "uid desc"])
    .execute();
  await create("article_tag_by_date")
    .on("article_tag")
    .columns(["tag_uid", "date", "article_uid", "category_uid", "author_uid"])
    .execute();
  await create("subscription_by_account")
    .on("subscription")
    .columns(["account_uid", "started_at", "uid"])
    .execute();
}
