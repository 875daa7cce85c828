import { PostgresAdapter, sql, type Kysely } from "kysely";

/** Columns that lists are ordered or continued by. */
const ORDERED = [
  ["article", "uid"],
  ["article", "date"],
  ["author", "uid"],
  ["author", "sort_name"],
  ["category", "uid"],
  ["tag", "uid"],
  ["page", "uid"],
  ["media", "uid"],
  ["media", "date"],
] as const;

export async function up(db: Kysely<unknown>) {
  await db.schema
    .alterTable("author")
    .addColumn("sort_name", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await sql`update author set sort_name = lower(name)`.execute(db);
  await db.schema
    .createTable("content_source")
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("uid", "text", (c) => c.notNull())
    .addColumn("source", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("content_source_key", ["kind", "uid"])
    .execute();
  if (db.getExecutor().adapter instanceof PostgresAdapter) await compareByBytes(db);
}

/** SQLite compares text by its bytes; PostgreSQL would follow the server's language instead. */
async function compareByBytes(db: Kysely<unknown>) {
  for (const [table, column] of ORDERED) {
    await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} type text collate "C"`.execute(
      db,
    );
  }
}
