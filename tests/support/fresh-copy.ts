import { copyFileSync } from "node:fs";
import { join } from "node:path";

/** Databases with schema and demo content (fresh.ts); one of them is that of a platform that has begun. */
export type Fresh = "seeded" | "begun";

/** Puts a SQLite database into a data folder. */
export function copyFreshDatabase(dataDir: string, fresh: Fresh = "seeded") {
  const { TEST_FRESH_FOLDER: folder } = process.env;
  if (folder) copyFileSync(join(folder, fresh, "cap-celeste.db"), join(dataDir, "cap-celeste.db"));
}

/** Name of the PostgreSQL database to copy; null without PostgreSQL. */
export function freshPostgres(fresh: Fresh): string | null {
  const { TEST_FRESH_POSTGRES: prefix } = process.env;
  return prefix === undefined ? null : `${prefix}_${fresh}`;
}
