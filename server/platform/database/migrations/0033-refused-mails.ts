import type { Kysely } from "kysely";

/** When a mail was given up because the server refused its address for good. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("mail").addColumn("refused_at", "text").execute();
}
