import type { Kysely } from "kysely";

/** The e-mail of an erased person whose order the bank may still accept: its refund must be told. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("payment").addColumn("payer_email", "text").execute();
}
