import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openPlatform } from "../../server/platform";
import { FakeClock } from "../../server/platform/ports/clock";
import { freshPostgres, type Fresh } from "./fresh-copy";
import { usualOptions } from "./usual-options";

const KINDS: Fresh[] = ["seeded", "begun"];

/**
 * Creates databases with schema and demo content, of which each test gets a copy: creating them per
 * test took most of a short test's time. Vitest calls this once, after PostgreSQL has started.
 */
export async function setup() {
  const folder = mkdtempSync(join(tmpdir(), "cap-celeste-fresh-"));
  const server = process.env.TEST_DATABASE_URL;
  if (server) process.env.TEST_FRESH_POSTGRES = `cap_celeste_fresh_${process.pid}`;
  for (const kind of KINDS) {
    const dataDir = join(folder, kind);
    mkdirSync(dataDir);
    await fill({ dataDir }, kind);
    if (server) await fill({ dataDir, databaseUrl: await createDatabase(server, kind) }, kind);
  }
  process.env.TEST_FRESH_FOLDER = folder;
  return async () => {
    for (const kind of server ? KINDS : []) {
      await query(server ?? "", `drop database ${freshPostgres(kind)} with (force)`);
    }
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Returns the new database's URL. */
async function createDatabase(server: string, kind: Fresh): Promise<string> {
  const name = freshPostgres(kind) ?? "";
  await query(server, `create database ${name}`);
  const databaseUrl = new URL(server);
  databaseUrl.pathname = name;
  return databaseUrl.href;
}

async function fill(place: { dataDir: string; databaseUrl?: string }, kind: Fresh) {
  const platform = await openPlatform({ ...usualOptions, ...place, clock: new FakeClock() });
  // Where it has not begun, each copy records its own secrets, and its seller's identity in the terms.
  if (kind === "begun") await platform.begin();
  await platform.close();
}

/** Runs one statement over a separate connection. */
export async function query(connectionString: string, text: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
