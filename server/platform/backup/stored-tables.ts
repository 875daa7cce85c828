import { sql } from "kysely";
import { isPostgres } from "../database/dialect";
import { RESTORE_MARK } from "../database/restore-mark";
import type { Database, Tables } from "../database/tables";

export type TableName = keyof Tables;

/**
 * Made of the articles, in another form on each database: a restored site makes them anew when it starts. Parts of
 * SQLite's text index have longer names.
 */
const DERIVED = /^article_(?:token|search|word)/;

/** The header of a backup names the migrations that ran. */
const LOG = "kysely_migration";

/** All tables that a backup holds, with their columns, sorted by name. */
export async function listTables(db: Database): Promise<{ name: TableName; columns: string[] }[]> {
  const schema = await currentSchema(db);
  const tables = await db.introspection.getTables();
  return tables
    .filter((table) => table.schema === schema && !table.isView)
    .filter(({ name }) => name !== LOG && name !== RESTORE_MARK && !DERIVED.test(name))
    .map(({ name, columns }) => ({
      // The database may be of another release: its own schema decides, not the tables of this one.
      name: name as TableName,
      columns: columns.map((column) => column.name).sort(),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** PostgreSQL tells of the tables of all schemas that it lets us see. SQLite has no schemas. */
async function currentSchema(db: Database): Promise<string | undefined> {
  if (!isPostgres(db)) return undefined;
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db);
  return rows[0]?.name;
}
