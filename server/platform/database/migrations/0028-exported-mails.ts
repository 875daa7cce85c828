import type { Kysely } from "kysely";

/** The words of an archived mail for the export, where it holds what somebody else typed. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("contract_mail").addColumn("export_text", "text").execute();
}
