import { mkdtempSync, openSync, rmSync, writeFileSync, writeSync, closeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../server/platform/database/connection";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { newPerson } from "./funnel";

type Person = Awaited<ReturnType<typeof newPerson>>;
type Line = { level: string; message: string } & Record<string, unknown>;

let lines: Line[];
beforeEach(() => void (lines = []));
const tell = (level: string) => (fields: object, message: string) =>
  void lines.push({ level, message, ...fields });
const log = { info: tell("info"), warn: tell("warn"), error: tell("error") };

/** Far more than one page of a file. */
const FAVORITES = Array.from({ length: 900 }, (_, index) => `article-${index}-of-the-favorites`);

const keepFavorites = ({ call }: TestPlatform, { uid, token }: Person) =>
  call(`PUT /users/${uid}/metadata`, { token, body: { profile: { favorites: FAVORITES } } });

const register = ({ call }: TestPlatform) =>
  call("POST /registrations/register", {
    body: {
      identifier: `${crypto.randomUUID()}@exemple.fr`,
      password: "une-orbite-paisible",
      formula: "vip-mensuel",
    },
  });

/** Fills the disk of the database, as far as it can tell. @returns makes room again */
async function fillDisk({ database: db, place }: TestPlatform) {
  if (place.databaseUrl) {
    await sql`create function refuse() returns trigger language plpgsql as
      'begin raise exception using errcode = ''53100'', message = ''No space left on device''; end'`.execute(
      db,
    );
    for (const table of ["setting", "limited_event"]) {
      await sql`create trigger full_disk before insert on ${sql.table(table)}
        execute function refuse()`.execute(db);
    }
    return async () => void (await sql`drop function refuse() cascade`.execute(db));
  }
  // SQLite takes the pages that there are as the least limit.
  await sql`pragma max_page_count = 1`.execute(db);
  return async () => void (await sql`pragma max_page_count = 1000000`.execute(db));
}

onEachDatabase("a database on a full disk", (open) => {
  it("says so once, refuses, and recovers by itself", async () => {
    const platform = await open({ log });
    const person = await newPerson(platform);
    const makeRoom = await fillDisk(platform);
    for (let count = 0; count < 3; count++) {
      expect(await keepFavorites(platform, person)).toMatchObject({ status: 503 });
    }
    expect((await platform.call("GET /content/articles")).status).toBe(200);
    expect(await platform.fault()).toMatch("disk full");
    await makeRoom();
    await expect.poll(platform.fault).toBeNull();
    expect(lines.filter(({ message }) => /disk|database/.test(message))).toEqual([
      {
        level: "error",
        call: "PUT /users/{uid}/metadata",
        reason: expect.any(String),
        message: "disk full: the database takes no writes",
      },
      { level: "info", seconds: expect.any(Number), message: "the database takes writes again" },
    ]);
    expect((await keepFavorites(platform, person)).status).toBe(200);
  });
});

const WHAT_TO_DO = /cap-celeste\.db is damaged \(.*\): stop the site and restore a backup/;

it("a file that is no database is called damaged", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "cap-celeste-damaged-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  writeFileSync(join(dataDir, "cap-celeste.db"), "no database ".repeat(1_000));
  await expect(openDatabase({ dataDir })).rejects.toThrow(WHAT_TO_DO);
});

onEachDatabase("a database that is damaged", (open) => {
  /** Overwrites the first page of a table. */
  async function damage({ database: db, place, close }: TestPlatform, table: string) {
    const { rows } = await sql<{ page: number; size: number }>`
      select rootpage as page, page_size as size from sqlite_master, pragma_page_size()
      where name = ${table}`.execute(db);
    const [{ page, size } = { page: 0, size: 0 }] = rows;
    await close();
    const file = openSync(join(place.dataDir, "cap-celeste.db"), "r+");
    writeSync(file, Buffer.alloc(size, 0xab), 0, size, (page - 1) * size);
    closeSync(file);
  }

  it("refuses the start in one sentence", async ({ skip }) => {
    const platform = await open();
    if (platform.place.databaseUrl) return skip();
    await damage(platform, "setting");
    await expect(platform.reopen()).rejects.toThrow(WHAT_TO_DO);
  });

  it("while it serves is told once, and makes it unready", async ({ skip }) => {
    const platform = await open({ log });
    if (platform.place.databaseUrl) return skip();
    await damage(platform, "limited_event");
    const again = await platform.reopen();
    lines = [];
    for (let count = 0; count < 3; count++) {
      expect(await register(again)).toMatchObject({ status: 503 });
    }
    expect(lines).toEqual([
      {
        level: "error",
        call: "POST /registrations/register",
        reason: expect.stringMatching(WHAT_TO_DO),
        message: "the database is damaged",
      },
    ]);
    expect(await again.fault()).toBe("the database is damaged");
  });
});
