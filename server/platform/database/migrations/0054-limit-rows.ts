import { sql, type Kysely } from "kysely";

/** Limits locked a row of each rule. They lock names now. */
export async function up(db: Kysely<unknown>) {
  await sql`delete from setting where name like 'limit.%'`.execute(db);
}
