import type { Kysely } from "kysely";

/** Waiting receipts count by the wider network of their sender, too. Of earlier notices it is unknown. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("contract_notice").addColumn("network_key", "text").execute();
}
