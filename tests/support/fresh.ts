import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openPlatform } from "../../server/platform";
import { FakeClock } from "../../server/platform/ports/clock";

const NAME = `cap_celeste_fresh_${process.pid}`;

/**
 * Creates databases with schema and demo content, of which each test gets a copy: creating them per
 * test took most of a short test's time. Vitest calls this once, after PostgreSQL has started.
 */
export async function setup() {
  const dataDir = mkdtempSync(join(tmpdir(), "cap-celeste-fresh-"));
  await fill({ dataDir });
  process.env.TEST_FRESH_SQLITE = join(dataDir, "cap-celeste.db");
  const server = process.env.TEST_DATABASE_URL;
  if (server) {
    await query(server, `create database ${NAME}`);
    const databaseUrl = new URL(server);
    databaseUrl.pathname = NAME;
    await fill({ dataDir, databaseUrl: databaseUrl.href });
    process.env.TEST_FRESH_POSTGRES = NAME;
  }
  return async () => {
    if (server) await query(server, `drop database ${NAME} with (force)`);
    rmSync(dataDir, { recursive: true, force: true });
  };
}

async function fill(place: { dataDir: string; databaseUrl?: string }) {
  const platform = await openPlatform({
    ...place,
    contentDir: "server/content",
    siteTitle: "Cap Céleste",
    secrets: ["of no use"],
    activationDelaySeconds: 0,
    jobs: false,
    clock: new FakeClock(),
    log: { info() {}, warn() {}, error() {} },
  });
  // It has not begun: each copy records its own secrets, and its seller's identity in the terms.
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
