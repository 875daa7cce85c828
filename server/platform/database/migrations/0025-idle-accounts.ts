import type { Kysely } from "kysely";

/** When the owner of an idle account was told that it will be deleted. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("account").addColumn("deletion_announced_at", "text").execute();
}
