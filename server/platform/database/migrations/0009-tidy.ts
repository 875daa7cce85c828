import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("payment").dropColumn("redirect_url").execute();
  await db.schema.alterTable("account").addColumn("registration_key", "text").execute();
}
