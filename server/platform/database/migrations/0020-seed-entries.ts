import { sql, type Kysely } from "kysely";

/** What was sold in every database until now, also where its owner has taken it out since. */
const SOLD = [
  "formula vip-mensuel",
  "formula vip-cashback",
  "traffic_token demo-cashback",
  "traffic_token demo-expire",
];

/**
 * Each entry of the seeds by its name, once a database was offered it: what a release adds reaches
 * databases that are older, and what was changed or taken out there stays so.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable("seed_entry")
    .addColumn("name", "text", (column) => column.primaryKey())
    .execute();
  await sql`insert into seed_entry (name) select kind || ' ' || uid from content_source`.execute(
    db,
  );
  await sql`insert into seed_entry (name) select 'redirection ' || path from redirection`.execute(
    db,
  );
  for (const name of SOLD) {
    await sql`insert into seed_entry (name)
      select ${name} from setting where name = 'seed.subscriptions'`.execute(db);
  }
  await sql`delete from setting where name in ('seed.subscriptions', 'content_seeded')`.execute(db);
}
