import { PostgresAdapter, sql } from "kysely";
import type { Database } from "./tables";

/** Where this is false, SQLite has one writer: a transaction that writes excludes all others from its beginning on. */
export const isPostgres = (db: Database) => db.getExecutor().adapter instanceof PostgresAdapter;

/** Whether the database has a table. Kysely's introspection reads all of them, which takes much longer. */
export async function hasTable(db: Database, name: string): Promise<boolean> {
  const isThere = isPostgres(db)
    ? sql`select 1 where to_regclass(${name}) is not null`
    : sql`select 1 from sqlite_master where type = 'table' and name = ${name}`;
  return (await isThere.execute(db)).rows.length > 0;
}
