import { PostgresAdapter, sql, type Kysely } from "kysely";

/** Images of the content: what was imported, and the files that pages show. */
export async function up(db: Kysely<unknown>) {
  const bytes = db.getExecutor().adapter instanceof PostgresAdapter ? sql`bytea` : sql`blob`;
  await db.schema
    .createTable("image")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("digest", "text", (c) => c.notNull())
    .addColumn("original_digest", "text", (c) => c.notNull())
    .addColumn("width", "integer", (c) => c.notNull())
    .addColumn("height", "integer", (c) => c.notNull())
    .addColumn("fallback", "text", (c) => c.notNull())
    .addColumn("original", bytes, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("image_file")
    .addColumn("path", "text", (c) => c.primaryKey())
    .addColumn("image_name", "text", (c) => c.notNull().references("image.name"))
    .addColumn("bytes", bytes, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("image_file_by_image")
    .on("image_file")
    .column("image_name")
    .execute();
}
