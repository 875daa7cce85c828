import { sql } from "kysely";
import { isPostgres } from "./dialect";
import type { Database } from "./tables";

/**
 * Waits until no other transaction holds this name, and holds it until this one ends. Every transaction of SQLite
 * excludes the others anyway.
 */
export async function lockName(transaction: Database, name: string) {
  if (!isPostgres(transaction)) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
}
