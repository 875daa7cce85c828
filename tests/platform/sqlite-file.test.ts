import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { withDatabase } from "../../server/cli/command/with-database";
import { openDatabase } from "../../server/platform/database/connection";
import { isDatabaseUnavailable } from "../../server/platform/database/unavailable";
import { sqliteDialect } from "../../server/platform/database/sqlite";

type Tables = { note: { text: string } };
type Notes = Kysely<Tables>;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cap-celeste-file-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): Notes => new Kysely({ dialect: sqliteDialect(join(folder, "file.db")) });
const read = async (notes: Notes) =>
  (await notes.selectFrom("note").select("text").execute()).map(({ text }) => text);

describe("SQLite's file", () => {
  const writtenAhead = () => {
    const log = join(folder, "file.db-wal");
    return existsSync(log) ? statSync(log).size : 0;
  };

  it("alone is the whole database once closed", async () => {
    const database = open();
    await sql`create table note (text text)`.execute(database);
    await sql`insert into note values (${"written"})`.execute(database);
    await sql`select * from note`.execute(database);
    expect(writtenAhead()).toBeGreaterThan(0);
    await database.destroy();
    expect(writtenAhead()).toBe(0);
  });

  it("that cannot be closed properly fails no work", async () => {
    const written = await openDatabase({ dataDir: folder });
    await sql`create table note (text text)`.execute(written);
    // More rows than are read at once.
    for (let n = 0; n < 150; n++) await sql`insert into note values (${"one"})`.execute(written);
    await written.destroy();
    vi.stubEnv("DATABASE_URL", "");
    vi.stubEnv("DATA_DIR", folder);
    const warned: unknown[] = [];
    const error = vi.spyOn(console, "error").mockImplementation((line) => void warned.push(line));
    onTestFinished(() => void [error.mockRestore(), vi.unstubAllEnvs()]);
    /** Leaves a statement open, so that SQLite cannot write its log into the file. */
    const leaveOpen = async (opening: () => Promise<unknown>) => {
      const notes = (await opening()) as Notes;
      const rows = notes.selectFrom("note").selectAll().stream();
      return (await rows[Symbol.asyncIterator]().next()).value?.text;
    };
    expect(await withDatabase(leaveOpen, { migrates: false })).toBe("one");
    expect(warned).toEqual([expect.stringMatching(/^Done, but .*\(database table is locked\)$/)]);
    const failing = withDatabase(
      async (opening) => {
        await leaveOpen(opening);
        throw new Error("the first reason");
      },
      { migrates: false },
    );
    await expect(failing).rejects.toThrow("the first reason");
  });

  it.each([undefined, 0o644])("is read by its owner alone, also once %s", async (earlier) => {
    const file = join(folder, "cap-celeste.db");
    if (earlier) writeFileSync(file, "", { mode: earlier });
    const database = await openDatabase({ dataDir: folder });
    await sql`create table note (text text)`.execute(database);
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect([modes.length, ...new Set(modes)]).toEqual([3, 0o600]);
    await database.destroy();
  });

  it("that is full is told as unavailable, within a transaction too", async () => {
    const database = open();
    await sql`create table note (text text)`.execute(database);
    await sql`pragma max_page_count = 3`.execute(database);
    const write = sql`insert into note values (${"x".repeat(50_000)})`;
    const failed: unknown = await database
      .transaction()
      .execute((transaction) => write.execute(transaction))
      .catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failed)).toBe(true);
    await sql`pragma max_page_count = 100000`.execute(database);
    await database.transaction().execute((transaction) => write.execute(transaction));
    expect(await read(database)).toHaveLength(1);
    await database.destroy();
  });

  it("is closed while another process reads it", async () => {
    const [database, other] = [open(), open()];
    await sql`create table note (text text)`.execute(database);
    await sql`begin`.execute(other);
    await sql`select * from note`.execute(other);
    await sql`insert into note values (${"written"})`.execute(database);
    await database.destroy();
    await sql`commit`.execute(other);
    expect(await read(other)).toEqual(["written"]);
    await other.destroy();
  });
});

describe("while another process writes,", () => {
  let own: Notes;
  let other: Notes;
  beforeEach(async () => {
    [own, other] = [open(), open()];
    await sql`create table note (text text)`.execute(own);
    await sql`begin immediate`.execute(other);
    await sql`insert into note values (${"theirs"})`.execute(other);
  });
  afterEach(() => Promise.all([own.destroy(), other.destroy()]));

  const write = (notes: Notes) => notes.insertInto("note").values({ text: "ours" });

  it.each<[string, (notes: Notes) => Promise<unknown>]>([
    ["transaction", (notes) => notes.transaction().execute((within) => write(within).execute())],
    ["statement", (notes) => write(notes).execute()],
    ["statement with an answer", (notes) => write(notes).returning("text").execute()],
  ])("a %s waits, and this process goes on reading", async (_, writeOwn) => {
    let isWritten = false;
    const written = writeOwn(own).then(() => (isWritten = true));
    for (let count = 0; count < 100; count++) expect(await read(own)).toEqual([]);
    expect(isWritten).toBe(false);
    await sql`commit`.execute(other);
    // What waits holds back nothing that others have written.
    expect(await read(own)).toContain("theirs");
    await written;
    expect(await read(other)).toEqual(["theirs", "ours"]);
  });

  it("a statement gives up after ten seconds, and the next ones succeed", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const written = write(own).execute();
    const failed = expect(written).rejects.toMatchObject({ code: "SQLITE_BUSY" });
    expect(await read(own)).toEqual([]);
    vi.advanceTimersByTime(10_000);
    await failed;
    vi.useRealTimers();
    await sql`commit`.execute(other);
    await write(own).execute();
    expect(await read(other)).toEqual(["theirs", "ours"]);
  });
});

it("a statement that fails leaves no transaction open", async () => {
  const [own, other] = [open(), open()];
  await sql`create table note (text text not null)`.execute(own);
  await expect(sql`insert into note values (null)`.execute(own)).rejects.toThrow("NOT NULL");
  await sql`insert into note values (${"theirs"})`.execute(other);
  expect(await read(own)).toEqual(["theirs"]);
  await Promise.all([own.destroy(), other.destroy()]);
});
