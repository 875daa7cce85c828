import { PostgresAdapter, sql, type Kysely } from "kysely";

/**
 * Keys of jobs are compared by their bytes, as SQLite does, so that the jobs whose keys begin alike are found in
 * the index. Before, each notice about an undecided payment read all jobs of a month.
 */
export async function up(db: Kysely<unknown>) {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`alter table job alter column key type text collate "C"`.execute(db);
}
