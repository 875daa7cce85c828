import type { Kysely } from "kysely";

/**
 * Why a credit that was paid is not owed any more, so that its debtor may claim it back; and when the
 * owner made a formula of the demonstration their own.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("credit").addColumn("reclaim_reason", "text").execute();
  await db.schema.alterTable("formula").addColumn("confirmed_at", "text").execute();
}
