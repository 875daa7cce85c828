import { createHash } from "node:crypto";
import type { Database } from "../database/tables";

/** Pages that differ from the newest release, and that their owner has not imported since it came. */
export async function findPagesToCompare(db: Database): Promise<string[]> {
  const rows = await readSeeded(db);
  return rows
    .filter(({ source, seeded, offered, compared }) => {
      const stored = sourceDigestOf(source);
      return offered !== null && stored !== offered && stored !== seeded && compared !== offered;
    })
    .map(({ uid }) => uid);
}

/** The owner has imported these pages: they know what the newest release says there. */
export async function markCompared(db: Database, uids: readonly string[]) {
  if (uids.length === 0) return;
  const names = uids.map((uid) => `page ${uid}`);
  await db
    .updateTable("seed_entry")
    .set((e) => ({ compared: e.ref("offered") }))
    .where("name", "in", names)
    .execute();
}

/** Pages that a seed has offered, with their present text and the digests of the releases. */
export async function readSeeded(db: Database) {
  const sources = await db
    .selectFrom("content_source")
    .select(["uid", "source"])
    .where("kind", "=", "page")
    .orderBy("uid")
    .execute();
  const entries = await db.selectFrom("seed_entry").selectAll().execute();
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return sources.flatMap(({ uid, source }) => {
    const entry = byName.get(`page ${uid}`);
    return entry ? [{ ...entry, uid, source }] : [];
  });
}

export const sourceDigestOf = (source: string) => createHash("sha256").update(source).digest("hex");
