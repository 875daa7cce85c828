import type { Database } from "./tables";

/** Below the number of values that a statement may have. */
const BATCH = 500;

/** Those that this database was never offered. */
export async function findNew(db: Database, names: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom("seed_entry").select("name").execute();
  const known = new Set(rows.map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}

/**
 * Those that are new to this database: the caller inserts them in the same transaction. Of two
 * processes that start at once the second waits here, and then finds none.
 */
export async function takeNew(
  transaction: Database,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  const sorted = [...names].sort();
  for (let start = 0; start < sorted.length; start += BATCH) {
    const rows = await transaction
      .insertInto("seed_entry")
      .values(sorted.slice(start, start + BATCH).map((name) => ({ name })))
      .onConflict((conflict) => conflict.column("name").doNothing())
      .returning("name")
      .execute();
    for (const { name } of rows) taken.add(name);
  }
  return taken;
}
