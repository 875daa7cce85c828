import type { Kysely } from "kysely";

/** The last visit of a person outlives the session in which it was made: accounts end when nobody uses them. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("account").addColumn("last_visit_at", "text").execute();
}
