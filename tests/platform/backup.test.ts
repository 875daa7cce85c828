import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { sql } from "kysely";
import { afterEach, describe, expect, it, vi } from "vitest";
import { main as backup } from "../../server/cli/backup";
import { withDatabase } from "../../server/cli/command/with-database";
import { main as restore } from "../../server/cli/restore";
import { openPlatform } from "../../server/platform";
import { listTables } from "../../server/platform/backup/stored-tables";
import { writeBackup } from "../../server/platform/backup/write";
import { openDatabase } from "../../server/platform/database/connection";
import { markRestore } from "../../server/platform/database/restore-mark";
import type { Database } from "../../server/platform/database/tables";
import { FakeClock } from "../../server/platform/ports/clock";
import {
  call,
  onEachDatabase,
  ORIGIN,
  postgresPlace,
  SECRETS,
  silent,
  type OpenPlatform,
} from "../support/platform";
import { runAt, runCommand } from "./command";
import { CARDS, newPage, newPerson, PASSWORD, post } from "./funnel";
import { passDays, subscriber } from "./life";

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function folder() {
  const made = mkdtempSync(join(tmpdir(), "cap-celeste-backup-"));
  cleanups.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

type Place = { dataDir: string; databaseUrl?: string | undefined };

/** An empty database where no site has started. */
async function emptyPlace(engine: string): Promise<Place> {
  if (engine === "SQLite") return { dataDir: folder() };
  const { options, remove } = await postgresPlace();
  cleanups.push(remove);
  return options;
}

function runIn(place: Place, main: typeof backup, argv: string[]) {
  workIn(place);
  return runCommand(main, argv);
}

function workIn({ dataDir, databaseUrl }: Place) {
  vi.stubEnv("DATABASE_URL", databaseUrl ?? "");
  vi.stubEnv("DATA_DIR", dataDir);
}

/** A site that has lived: orders, debits, refusals, mails, jobs, a ticket, and signs of all kinds. */
async function lived(open: OpenPlatform) {
  const platform = await open();
  await subscriber(platform);
  await post(platform, await newPage(platform, await newPerson(platform)), {
    cardNumber: CARDS.declined,
  });
  const person = await newPerson(platform);
  const name = 'É\u2028\u2029\u0085"\\ \u{1f319}';
  await platform.call(`PUT /users/${person.uid}/metadata`, {
    token: person.token,
    body: { profile: { name } },
  });
  const image = { name: "lune.jpg", digest: "d", original_digest: "o", width: 1, height: 1 };
  const bytes = Buffer.from([0, 1, 10, 13, 255]);
  await platform.database
    .insertInto("image")
    .values({ ...image, fallback: "jpg", original: bytes })
    .execute();
  await platform.database
    .insertInto("image_file")
    .values({ path: "lune.480.jpg", image_name: "lune.jpg", bytes })
    .execute();
  await passDays(platform, 9);
  return platform;
}

/** All rows of all tables, in an order of their own. */
async function rowsOf(db: Database) {
  const tables: Record<string, string[]> = {};
  for (const { name, columns } of await listTables(db)) {
    const rows = await db.selectFrom(name).selectAll().execute();
    tables[name] = rows
      .map((row: Record<string, unknown>) => JSON.stringify(columns.map((key) => plain(row[key]))))
      .sort();
  }
  return tables;
}

const plain = (value: unknown) =>
  value instanceof Uint8Array || value instanceof ArrayBuffer
    ? Buffer.from(value as Uint8Array).toString("hex")
    : value;

const engines = process.env.TEST_DATABASE_URL ? ["SQLite", "PostgreSQL"] : ["SQLite"];

onEachDatabase("a backup", (open) => {
  it.each(engines)("holds every row for an empty %s", async (engine) => {
    const platform = await lived(open);
    const file = join(folder(), "site.backup");
    expect(await runAt(platform, backup, [file])).toMatchObject({ code: 0, error: [] });
    const place = await emptyPlace(engine);
    expect(await runIn(place, restore, [file])).toMatchObject({ code: 0, error: [] });
    const restored = await openDatabase(place);
    cleanups.push(() => restored.destroy());
    const { setting, ...rows } = await rowsOf(platform.database);
    const isIndexed = (row: string) => row.includes("article_index");
    expect(await rowsOf(restored)).toEqual({
      ...rows,
      setting: setting?.filter((row) => !isIndexed(row)),
    });
    expect(Object.values(rows).filter((table) => table.length > 0).length).toBeGreaterThan(25);
  });

  it("becomes a site that searches and lets people in", async () => {
    const platform = await lived(open);
    const { email } = await newPerson(platform);
    const file = join(folder(), "site.backup");
    await runAt(platform, backup, [file]);
    const place = await emptyPlace("SQLite");
    await runIn(place, restore, [file]);
    const clock = new FakeClock(platform.clock.now().toISOString());
    const again = await openPlatform({
      ...place,
      contentDir: "server/content",
      siteTitle: "Cap Céleste",
      siteUrl: ORIGIN,
      secrets: SECRETS,
      activationDelaySeconds: 0,
      log: silent,
      jobs: false,
      clock,
    });
    cleanups.push(() => again.close());
    await again.begin();
    const found = await call(again, "GET /content/articles?q=lune");
    expect(found.body.payload.length).toBeGreaterThan(0);
    const credentials = { identifier: email, password: PASSWORD };
    const signedIn = await call(again, "POST /auth_check", { body: credentials });
    expect(signedIn.body.payload.token).toEqual(expect.any(String));
  });

  it("is of one moment, while others write", async () => {
    const platform = await open();
    const db = await openDatabase(platform.place);
    cleanups.push(() => db.destroy());
    const known = await newPerson(platform);
    let text = "";
    let late = known;
    await writeBackup(db, new Date(), async (lines) => {
      for await (const line of lines) {
        if (text === "") late = await newPerson(platform);
        text += line;
      }
    });
    expect(text).toContain(known.email);
    expect(text).not.toContain(late.email);
  });

  it("that cannot be written says why", async () => {
    const { place, database } = await open();
    // More rows than are read at once.
    const settings = Array.from({ length: 300 }, (_, n) => ({ name: `mark-${n}`, value: "" }));
    await database.insertInto("setting").values(settings).execute();
    workIn(place);
    const full = new Writable({
      write: (line: Buffer, _encoding, done) =>
        done(line.includes("mark-") ? new Error("no space left on device") : null),
    });
    const written = withDatabase(
      async (opening) => writeBackup(await opening(), new Date(), (rows) => pipeline(rows, full)),
      { migrates: false },
    );
    await expect(written).rejects.toThrow("no space left on device");
  });

  it("is restored only where no site has started", async () => {
    const platform = await open();
    const file = join(folder(), "site.backup");
    await runAt(platform, backup, [file]);
    expect(await runAt(platform, restore, [file])).toMatchObject({
      code: 1,
      error: [expect.stringContaining("an empty database only")],
    });
  });

  it("touches no table of others", async () => {
    const platform = await open();
    const file = join(folder(), "site.backup");
    await runAt(platform, backup, [file]);
    const place = await emptyPlace(platform.place.databaseUrl ? "PostgreSQL" : "SQLite");
    const db = await openDatabase(place);
    cleanups.push(() => db.destroy());
    await sql`create table theirs (is_ours integer)`.execute(db);
    await sql`insert into theirs values (0)`.execute(db);
    const refused = await runIn(place, restore, [file]);
    expect(refused.error).toEqual([expect.stringContaining("there is a table theirs")]);
    expect((await sql`select * from theirs`.execute(db)).rows).toHaveLength(1);
    if (!place.databaseUrl) return;
    await sql`create schema apart`.execute(db);
    await sql`alter table theirs set schema apart`.execute(db);
    expect(await runIn(place, restore, [file])).toMatchObject({ code: 0, error: [] });
    expect((await sql`select * from apart.theirs`.execute(db)).rows).toHaveLength(1);
    expect(await runIn(place, backup, [`${file}.second`])).toMatchObject({ code: 0, error: [] });
  });

  it("whose restore was killed is restored before a site starts", async () => {
    const platform = await open();
    const file = join(folder(), "site.backup");
    await runAt(platform, backup, [file]);
    const place = await emptyPlace(platform.place.databaseUrl ? "PostgreSQL" : "SQLite");
    workIn(place);
    // What is left of it: its transaction never was.
    await withDatabase(async (opening) => markRestore(await opening()), {
      creates: true,
      migrates: false,
    });
    const started = withDatabase((opening) => opening(), { creates: true });
    await expect(started).rejects.toThrow("run npm run restore again");
    expect(await runIn(place, restore, [file])).toMatchObject({ code: 0, error: [] });
    await withDatabase((opening) => opening());
  });

  it("that is cut off or changed leaves nothing behind", async () => {
    const platform = await open();
    const file = join(folder(), "site.backup");
    await runAt(platform, backup, [file]);
    const whole = gunzipSync(readFileSync(file)).toString("utf8").split("\n");
    const place = await emptyPlace(platform.place.databaseUrl ? "PostgreSQL" : "SQLite");
    const broken = [
      whole.slice(0, -2),
      whole.toSpliced(40, 1),
      whole.with(1, '{"table":"account","columns":["uid"]}'),
      whole.with(0, whole[0]?.replace("0001-content", "9999-later") ?? ""),
      whole.with(30, "not JSON"),
      [],
    ];
    for (const lines of broken) {
      writeFileSync(file, gzipSync(lines.join("\n")));
      const { code, error } = await runIn(place, restore, [file]);
      expect([code, error.length]).toEqual([1, 1]);
    }
    writeFileSync(file, gzipSync(whole.join("\n")));
    expect(await runIn(place, restore, [file])).toMatchObject({ code: 0, error: [] });
  });
});

describe("a backup file", () => {
  it("is read by its owner alone, and never replaced", async () => {
    const place = { dataDir: folder() };
    const file = join(place.dataDir, "site.backup");
    expect((await runIn(place, backup, [file])).error).toEqual([
      expect.stringContaining("there is no database"),
    ]);
    const db = await openDatabase(place);
    expect((await runIn(place, backup, [file])).error).toEqual([
      "There is nothing to back up: no site started here",
    ]);
    await sql`create table kysely_migration (name text, timestamp text)`.execute(db);
    await sql`insert into kysely_migration values ('0001-content', '')`.execute(db);
    await db.destroy();
    expect((await runIn(place, backup, [file])).error).toEqual([]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await runIn(place, backup, [file])).error).toEqual([
      expect.stringContaining("is there already"),
    ]);
    const checked = await runIn(place, backup, ["--check", file]);
    expect(checked.out).toEqual([expect.stringContaining("after 0001-content")]);
  });

  it("cut anywhere or with another byte is refused in one line", async () => {
    const source = join(folder(), "source");
    const place = { dataDir: folder() };
    const db = await openDatabase(place);
    await sql`create table kysely_migration (name text, timestamp text)`.execute(db);
    await sql`insert into kysely_migration values ('0001-content', '')`.execute(db);
    await sql`create table author (uid text)`.execute(db);
    await sql`insert into author values ('a'), ('b')`.execute(db);
    await db.destroy();
    await runIn(place, backup, [source]);
    const whole = readFileSync(source);
    const damaged = fc
      .tuple(fc.nat(whole.length - 1), fc.boolean(), fc.integer({ min: 1, max: 255 }))
      .map(([at, isCut, change]) => {
        if (isCut) return whole.subarray(0, at);
        const copy = Buffer.from(whole);
        copy[at] = (copy[at] ?? 0) ^ change;
        return copy;
      });
    await fc.assert(
      fc.asyncProperty(damaged, async (bytes) => {
        writeFileSync(source, bytes);
        const { code, error } = await runCommand(backup, ["--check", source]);
        // Some bits of the packing mean nothing.
        if (code === 0) expect(gunzipSync(bytes)).toEqual(gunzipSync(whole));
        else expect(error.join("\n").split("\n")).toHaveLength(1);
      }),
      { numRuns: 100 },
    );
  });
});
