import type { Kysely } from "kysely";

/**
 * The sandbox bank's page shows the conditions of the order beside its button. Of each page of the
 * product that was seeded its digest is kept: which text was written, which one the newest release
 * brought, and which one the owner has compared with their own.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("bank_page").addColumn("conditions", "text").execute();
  await db.schema.alterTable("seed_entry").addColumn("seeded", "text").execute();
  await db.schema.alterTable("seed_entry").addColumn("offered", "text").execute();
  await db.schema.alterTable("seed_entry").addColumn("compared", "text").execute();
}
