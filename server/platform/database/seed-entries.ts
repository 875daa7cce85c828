import type { Database } from "./tables";

/** Stays below the number of values in one statement. */
const BATCH = 500;

/** Finds the entries that this database has not seen. */
export async function findNewEntries(db: Database, names: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom("seed_entry").select("name").execute();
  const known = new Set(rows.map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}

/** Whether this database was ever offered an entry of a kind, such as `formula`. */
export async function isSeededWith(db: Database, kind: string): Promise<boolean> {
  const entry = await db
    .selectFrom("seed_entry")
    .select("name")
    .where("name", "like", `${kind} %`)
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
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

/** Whether a database takes the demonstration: decided at its first start, and kept in its settings. */
const DEMONSTRATION = "seed.demonstration";

/**
 * Decides at the first start whether this database takes the demonstration. Later starts are bound by it,
 * so that a variable that was forgotten once publishes nothing.
 * @returns whether the database takes it
 */
export async function decideDemonstration(
  transaction: Database,
  isWanted: boolean,
): Promise<boolean> {
  const value = isWanted ? "taken" : "declined";
  await transaction
    .insertInto("setting")
    .values({ name: DEMONSTRATION, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const decided = await transaction
    .selectFrom("setting")
    .select("value")
    .where("name", "=", DEMONSTRATION)
    .executeTakeFirstOrThrow();
  return decided.value === "taken";
}

/** The owner wants nothing of the demonstration, nor what a later release adds to it. */
export async function declineDemonstration(transaction: Database) {
  const value = "declined";
  await transaction
    .insertInto("setting")
    .values({ name: DEMONSTRATION, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
