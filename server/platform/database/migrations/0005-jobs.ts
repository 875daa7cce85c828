import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable("job")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("key", "text", (c) => c.unique())
    .addColumn("payload", "text", (c) => c.notNull())
    .addColumn("run_at", "text", (c) => c.notNull())
    .addColumn("attempts", "integer", (c) => c.notNull())
    .addColumn("lease_until", "text")
    .addColumn("done_at", "text")
    .addColumn("error", "text")
    .execute();
  await db.schema.createIndex("job_due").on("job").columns(["done_at", "run_at"]).execute();
}
