import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Migrator, sql } from "kysely";
import { afterEach, expect, it } from "vitest";
import { databaseFile, openDatabase } from "../../server/platform/database/connection";
import { hasTable } from "../../server/platform/database/dialect";
import { MIGRATIONS } from "../../server/platform/database/migrate";
import { RESTORE_MARK } from "../../server/platform/database/restore-mark";
import { freePort } from "../support/port";
import { runHost, startSite, type Site } from "../support/site";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const EARLIER = Object.fromEntries(
  Object.entries(MIGRATIONS).filter(([name]) => name <= "0018-paid-periods"),
);

const LIVE = {
  PAYMENT_GATEWAY: "stripe",
  STRIPE_SECRET_KEY: "sk_live_x",
  STRIPE_WEBHOOK_SECRET: "whsec_x",
  SITE_URL: "https://cap.example",
};

const LIVE_WITHOUT_ENCRYPTION = { ...LIVE, SITE_URL: "http://cap.example" };

function newFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), "cap-celeste-refused-"));
  cleanups.push(() => rmSync(dataDir, { recursive: true }));
  return dataDir;
}

/** Starts the database as a release does that knows these migrations only. */
async function startEarlier(dataDir: string) {
  const db = await openDatabase({ dataDir });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => EARLIER } });
  const { error } = await migrator.migrateToLatest();
  await db.destroy();
  return error;
}

/** All that a database holds: its schema, and the rows of each table. */
async function contentsOf(dataDir: string) {
  const db = await openDatabase({ dataDir });
  const { rows: tables } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_master where type = 'table' order by name`.execute(db);
  const contents = [];
  for (const table of tables) {
    const { rows } = await sql`select * from ${sql.table(table.name)}`.execute(db);
    contents.push({ ...table, rows });
  }
  await db.destroy();
  return contents;
}

async function takenPort() {
  const port = await freePort();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, resolve));
  cleanups.push(() => other.close());
  return String(port);
}

async function refuse(variables: Record<string, string>) {
  const { code, stderr } = await runHost({ PORT: "0", ...variables });
  expect(code).toBe(1);
  return stderr;
}

it("a start on a taken port records nothing", async () => {
  const site: Site = await startSite({ SESSION_SECRET: "one-secret-of-32-characters-or-more" });
  cleanups.push(() => site.remove());
  await site.stop();
  const before = await contentsOf(site.dataDir);
  const refused = await refuse({
    DATA_DIR: site.dataDir,
    PORT: await takenPort(),
    SESSION_SECRET: "another-secret-of-32-characters-or-more",
    SITE_TITLE: "Un autre nom",
  });
  expect(refused).toMatch(/^PORT: \d+ is already in use/);
  expect(await contentsOf(site.dataDir)).toEqual(before);
});

it("a first start on a taken port creates no database", async () => {
  const dataDir = newFolder();
  await refuse({ DATA_DIR: dataDir, PORT: await takenPort() });
  expect(existsSync(join(dataDir, "cap-celeste.db"))).toBe(false);
});

it.each([
  ["a taken port", async () => ({ PORT: await takenPort() }), /^PORT/],
  ["an address without encryption", () => LIVE_WITHOUT_ENCRYPTION, /^SITE_URL is not an https/],
  ["a missing identity", () => LIVE, /^IDENTITY_FILE does not give/],
  ["content that is no folder", () => ({ CONTENT_DIR: "/nowhere" }), /\/nowhere/],
  ["an unknown formula", () => ({ DEFAULT_FORMULA: "nope" }), /^DEFAULT_FORMULA: there is no/],
])("a start refused for %s leaves the earlier release its database", async (_, settings, fault) => {
  const dataDir = newFolder();
  expect(await startEarlier(dataDir)).toBeUndefined();
  const before = await contentsOf(dataDir);
  expect(await refuse({ DATA_DIR: dataDir, ...(await settings()) })).toMatch(fault);
  expect(await contentsOf(dataDir)).toEqual(before);
  expect(await startEarlier(dataDir)).toBeUndefined();
});

it("a start on data of a newer release says what to do, and writes nothing", async () => {
  const dataDir = newFolder();
  await startEarlier(dataDir);
  const db = await openDatabase({ dataDir });
  await sql`insert into kysely_migration (name, timestamp) values ('9999-next', '')`.execute(db);
  await db.destroy();
  const before = await contentsOf(dataDir);
  expect(await refuse({ DATA_DIR: dataDir })).toMatch(
    /^The database belongs to a newer release \(9999-next is unknown here\): start that release again, or restore the copy/,
  );
  expect(await contentsOf(dataDir)).toEqual(before);
});

it("a start after a killed restore is refused until it is repeated", async () => {
  const dataDir = newFolder();
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "" };
  const restore = spawn(process.execPath, ["server/cli.mjs", "restore", "-"], { env });
  cleanups.push(() => restore.kill("SIGKILL"));
  const isUnderWay = async () => {
    if (!existsSync(databaseFile(dataDir))) return false;
    const db = await openDatabase({ dataDir });
    return hasTable(db, RESTORE_MARK).finally(() => db.destroy());
  };
  await expect.poll(isUnderWay, { timeout: 20_000 }).toBe(true);
  const ended = once(restore, "exit");
  restore.kill("SIGKILL");
  await ended;
  expect(await refuse({ DATA_DIR: dataDir })).toMatch(
    /^A restore into this database has not ended, .* run npm run restore again/,
  );
  expect((await contentsOf(dataDir)).map(({ name }) => name)).toEqual([RESTORE_MARK]);
});

it("a refused first start leaves no demonstration to the next", async () => {
  const dataDir = newFolder();
  const content = newFolder();
  writeFileSync(join(content, "redirects.yaml"), "- path: /a\n  target: /b\n  status: 301\n");
  await refuse({ DATA_DIR: dataDir, ...LIVE });
  await refuse({ DATA_DIR: dataDir, DEFAULT_FORMULA: "nope" });
  const site = await startSite({ DATA_DIR: dataDir, CONTENT_DIR: content });
  cleanups.push(() => site.remove());
  const articles = await fetch(`${site.origin}/api/content/articles`);
  expect(await articles.json()).toMatchObject({ payload: [] });
  const token = await fetch(`${site.origin}/api/traffic-tokens/demo-cashback`);
  expect(token.status).toBe(404);
});
