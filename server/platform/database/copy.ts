import { chmodSync, closeSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import { DAY_MS } from "../ports/durations";
import { databaseFile, type DatabaseOptions } from "./connection";
import { findMissing, readExecuted } from "./migrate";
import { reasonOf } from "./reason";
import type { Database } from "./tables";

/** A copy is named by the last migration that it has. */
const COPY = /^cap-celeste-after-\d{4}-[\w-]+\.db$/;
const KEPT = 2;
/** Copies are kept as long as backups: they hold what people erase later (docs/retention.md). */
export const COPY_DAYS = 30;
/** A day less, because copies are looked at once a day. */
const KEPT_MS = (COPY_DAYS - 1) * DAY_MS;

/**
 * Copies the embedded database before a release migrates it, so that there is a way back: what a migration has
 * dropped cannot be made anew. PostgreSQL has copies of its own host's.
 * @returns the file; null where nothing is to be migrated
 * @throws Error in one sentence where there is no room for it: nothing has been migrated
 */
export async function copyBeforeMigrations(
  db: Database,
  options: DatabaseOptions,
): Promise<string | null> {
  if (options.databaseUrl !== undefined) return null;
  const executed = (await readExecuted(db))?.sort() ?? [];
  const last = executed.at(-1);
  if (last === undefined || findMissing(executed).length === 0) return null;
  const source = databaseFile(options.dataDir);
  const file = join(dirname(source), `cap-celeste-after-${last}.db`);
  const draft = `${file}.partial`;
  try {
    rmSync(draft, { force: true });
    closeSync(openSync(draft, "wx", 0o600));
    await sql`vacuum into ${draft}`.execute(db);
    chmodSync(draft, 0o600);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new Error(
      `The database was not migrated and is as it was, because it cannot be copied to ${file} first (${reasonOf(error)}): make room in DATA_DIR, then start again`,
      { cause: error },
    );
  }
  removeOldCopies(options.dataDir);
  return file;
}

/** Keeps the last two copies, for a month at most. */
export function removeOldCopies(dataDir: string) {
  const folder = dirname(databaseFile(dataDir));
  const copies = readdirSync(folder)
    .filter((name) => COPY.test(name))
    .sort()
    .reverse();
  for (const [index, name] of copies.entries()) {
    const file = join(folder, name);
    const isOld = Date.now() - statSync(file).mtimeMs > KEPT_MS;
    if (index >= KEPT || isOld) rmSync(file, { force: true });
  }
}
