import { copyFileSync } from "node:fs";
import { join } from "node:path";

/** Puts a SQLite database with schema and demo content (fresh.ts) into a data folder. */
export function copyFreshDatabase(dataDir: string) {
  const { TEST_FRESH_SQLITE: fresh } = process.env;
  if (fresh) copyFileSync(fresh, join(dataDir, "cap-celeste.db"));
}
