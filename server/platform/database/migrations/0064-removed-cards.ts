import type { Kysely } from "kysely";

/** The cards that the provider removed while a payment was undecided: the contract that it pays must not have them. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("payment").addColumn("removed_cards", "text").execute();
}
