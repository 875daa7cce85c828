import { sql, type Kysely } from "kysely";

/** Each payment notes when it was ordered. Of older ones only the start is known. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("payment").addColumn("ordered_at", "text").execute();
  await sql`update payment set ordered_at = created_at
    where kind = 'first' and status <> 'open'`.execute(db);
}
