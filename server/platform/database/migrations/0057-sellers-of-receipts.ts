import type { Kysely } from "kysely";

/**
 * A receipt keeps what it says of its seller, rate and statement name: they may change, and the mailed receipt does
 * not. The start fills in those of earlier payments, because only it knows the settings.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("payment").addColumn("seller", "text").execute();
}
