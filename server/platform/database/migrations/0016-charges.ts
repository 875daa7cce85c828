import type { Kysely } from "kysely";

/** Why a renewal was refused, and when cards end. */
export async function up(db: Kysely<unknown>) {
  const subscription = () => db.schema.alterTable("subscription");
  await subscription().addColumn("renewal_needs", "text").execute();
  await subscription().addColumn("card_expiry", "text").execute();
  await db.schema.alterTable("bank_page").addColumn("card_expiry", "text").execute();
  await db.schema.alterTable("bank_card").addColumn("expiry", "text").execute();
}
