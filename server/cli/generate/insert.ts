import type { Insertable } from "kysely";
import type { Database, Tables } from "../../platform/database/tables";

/** Stays below the bound values that SQLite and PostgreSQL accept in one statement. */
const MAX_VALUES = 10_000;

/** Inserts any number of rows in as few statements as possible. */
export async function insertAll<T extends keyof Tables>(
  db: Database,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
) {
  const columns = Object.keys(rows[0] ?? {}).length;
  const size = Math.max(1, Math.floor(MAX_VALUES / Math.max(1, columns)));
  for (let start = 0; start < rows.length; start += size) {
    await db
      .insertInto(table)
      .values(rows.slice(start, start + size))
      .execute();
  }
}
