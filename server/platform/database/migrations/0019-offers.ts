import type { Kysely } from "kysely";

/** A payment keeps what was offered, so that a formula may change or end without changing it. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("payment").addColumn("offer", "text").execute();
  await db.schema.alterTable("formula").addColumn("retired_at", "text").execute();
}
