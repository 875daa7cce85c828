import type { Database } from "./tables";

/** Stays below the number of values in one statement. */
const BATCH = 500;

/** Finds the entries that this database has not seen. */
export async function findNewEntries(db: Database, names: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom("seed_entry").select("name").execute();
  const known = new Set(rows.map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}

/**
 * Claims the entries that this database has not seen; the caller inserts them in the same
 * transaction. Of two processes that start together the second waits here and claims none.
 */
export async function claimNewEntries(
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
