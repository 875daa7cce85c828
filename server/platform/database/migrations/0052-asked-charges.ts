import { sql, type Kysely } from "kysely";

/**
 * Whether the provider was asked for a renewal has a column of its own. Before, a code that began with "not asked: "
 * said that it was not. Only undecided renewals need it; of those, nobody knows the time of the last try any more.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("payment").addColumn("asked_at", "text").execute();
  await sql`update payment set asked_at = created_at
    where kind = 'renewal' and status in ('open', 'pending')
      and (error_code is null or error_code not like 'not asked: %')`.execute(db);
  await sql`update payment set error_code = substr(error_code, length('not asked: ') + 1)
    where error_code like 'not asked: %'`.execute(db);
}
