import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sqliteDialect } from "../../server/platform/database/sqlite";

describe("SQLite's file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cap-celeste-file-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = () => new Kysely({ dialect: sqliteDialect(join(folder, "file.db")) });
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

  it("is closed while another process reads it", async () => {
    const [database, other] = [open(), open()];
    await sql`create table note (text text)`.execute(database);
    await sql`begin`.execute(other);
    await sql`select * from note`.execute(other);
    await sql`insert into note values (${"written"})`.execute(database);
    await database.destroy();
    await sql`commit`.execute(other);
    const { rows } = await sql`select text from note`.execute(other);
    expect(rows).toEqual([{ text: "written" }]);
    await other.destroy();
  });
});
