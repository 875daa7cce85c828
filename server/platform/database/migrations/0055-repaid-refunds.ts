import type { Kysely } from "kysely";

/** Refunds that the bank did not take and that were paid by another way: who recorded it, and its reference. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("refund").addColumn("repaid_by", "text").execute();
  await db.schema.alterTable("refund").addColumn("repaid_reference", "text").execute();
}
