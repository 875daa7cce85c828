import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { MINUTE_MS } from "./ports/durations";
import type { Log } from "./ports/log";

/** The first start itself writes the secret, and may be repeated while something is corrected. */
const FIRST_START_MS = 10 * MINUTE_MS;

/**
 * Warns of a new database in a folder that shows that the site has run before: another database was lost, or is
 * not the one that is named.
 */
export function warnOfLostDatabase({ dataDir, log }: { dataDir: string; log: Log }) {
  const traces = ["outbox", "session-secret"].filter((name) => isOld(join(dataDir, name)));
  if (traces.length === 0) return;
  log.warn(
    { dataDir, traces },
    "The database is empty, but this site has run before: check DATABASE_URL and DATA_DIR, or stop and restore a backup (docs/operations.md, Backups)",
  );
}

function isOld(path: string): boolean {
  try {
    const stored = statSync(path);
    if (stored.isDirectory()) return readdirSync(path).length > 0;
    return Date.now() - stored.mtimeMs > FIRST_START_MS;
  } catch {
    // Not there, as at a first start; a folder that cannot be read has stopped the start before.
    return false;
  }
}
