import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Kysely, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeBackup } from "../../server/platform/backup/write";
import { openDatabase } from "../../server/platform/database/connection";
import { migrate, MIGRATIONS } from "../../server/platform/database/migrate";
import { sqliteDialect } from "../../server/platform/database/sqlite";
import type { Tables } from "../../server/platform/database/tables";
import { removeOldCopies } from "../../server/platform/database/copy";
import { DAY_MS } from "../../server/platform/ports/durations";
import { gate } from "../support/gate";
import { onEachDatabase, postgresPlace, type TestPlatform } from "../support/platform";

const NAMES = Object.keys(MIGRATIONS);
const [BEFORE, LAST = ""] = NAMES.slice(-2);

const forget = ({ database }: TestPlatform, name: string) =>
  sql`delete from kysely_migration where name = ${name}`.execute(database);

/** As the last migration found it. */
const undoLast = async (db: Kysely<Tables>) => {
  await db.schema.dropIndex("ticket_by_wait").execute();
  await db.schema.dropIndex("ticket_by_first_answer").execute();
  await db.schema.alterTable("ticket").dropColumn("first_answered_at").execute();
  await db.schema.alterTable("ticket").dropColumn("birth").execute();
};

onEachDatabase("a database", (open) => {
  it("that ran all migrations starts again", async () => {
    const platform = await open();
    const { rows } = await sql<{ name: string }>`
      select name from kysely_migration order by name`.execute(platform.database);
    expect(rows.map(({ name }) => name)).toEqual(NAMES);
    await platform.reopen();
  });

  it.each([NAMES[0], "0035-contact-senders", NAMES.at(-2)])(
    "that skipped %s is refused by that name",
    async (name = "") => {
      const platform = await open();
      await forget(platform, name);
      await expect(platform.reopen()).rejects.toThrow(
        `The database skipped migration ${name} but ran later ones`,
      );
    },
  );

  it("that ran a migration of another release is refused by its name", async () => {
    const platform = await open();
    await sql`insert into kysely_migration (name, timestamp) values ('0036-other', '')`.execute(
      platform.database,
    );
    await expect(platform.reopen()).rejects.toThrow("(0036-other is unknown here)");
  });
});

onEachDatabase("a database that a release migrates", (open) => {
  const COPY = `cap-celeste-after-${BEFORE}.db`;
  const copiesIn = (folder: string) =>
    readdirSync(folder).filter((name) => name.startsWith("cap-celeste-"));

  async function withoutLast() {
    const platform = await open();
    await undoLast(platform.database);
    await forget(platform, LAST);
    return platform;
  }

  it("is copied beside itself first, for its owner alone", async () => {
    const platform = await withoutLast();
    const { dataDir, databaseUrl } = platform.place;
    await platform.reopen();
    expect(copiesIn(dataDir)).toEqual(databaseUrl ? [] : [COPY]);
    if (databaseUrl) return;
    expect(statSync(join(dataDir, COPY)).mode & 0o777).toBe(0o600);
    const copy = new Kysely<Tables>({ dialect: sqliteDialect(join(dataDir, COPY)) });
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(copy);
    expect(rows.map(({ name }) => name).sort()).toEqual(NAMES.slice(0, -1));
    await copy.destroy();
  });

  it("is refused, and left as it was, where it cannot be copied", async ({ skip }) => {
    const platform = await withoutLast();
    const { dataDir, databaseUrl } = platform.place;
    if (databaseUrl) return skip();
    mkdirSync(join(dataDir, COPY));
    writeFileSync(join(dataDir, COPY, "something"), "");
    await expect(platform.reopen()).rejects.toThrow(
      /cannot be copied to .*: make room in DATA_DIR/,
    );
    const db = await openDatabase(platform.place);
    const { rows } = await sql`select 1 from pragma_table_info('ticket')
      where name = 'birth'`.execute(db);
    expect(rows).toEqual([]);
    await db.destroy();
  });

  it("keeps the last two copies, for a month", async () => {
    const { place } = await open();
    const names = ["0001-a", "0002-b", "0003-c"].map((name) => `cap-celeste-after-${name}.db`);
    for (const name of names) writeFileSync(join(place.dataDir, name), "");
    removeOldCopies(place.dataDir);
    expect(copiesIn(place.dataDir)).toEqual(names.slice(1));
    const aged = (days: number) => new Date(Date.now() - days * DAY_MS);
    utimesSync(join(place.dataDir, names[1] ?? ""), aged(28), aged(28));
    // The daily look of the next day would come after the thirtieth.
    utimesSync(join(place.dataDir, names[2] ?? ""), aged(29.5), aged(29.5));
    removeOldCopies(place.dataDir);
    expect(copiesIn(place.dataDir)).toEqual(names.slice(1, 2));
  });
});

describe.skipIf(!process.env.TEST_DATABASE_URL)("while others use PostgreSQL,", () => {
  /** A fresh database in which nobody waits for a lock, and the last migration may be missing. */
  async function openPlace({ isMissing }: { isMissing: boolean }) {
    const { options, remove } = await postgresPlace("seeded");
    onTestFinished(remove);
    const setUp = await openDatabase(options);
    const { pathname } = new URL(options.databaseUrl);
    await sql`alter database ${sql.id(pathname.slice(1))} set lock_timeout = '200ms'`.execute(
      setUp,
    );
    if (isMissing) {
      await undoLast(setUp);
      await sql`delete from kysely_migration where name = ${LAST}`.execute(setUp);
    }
    await setUp.destroy();
    const db = await openDatabase(options);
    onTestFinished(() => db.destroy());
    return db;
  }

  it.each([
    [true, "a backup or the start of another process holds the database"],
    [false, null],
  ])("a backup keeps migrations away, if any is missing: %s", async (isMissing, refusal) => {
    const db = await openPlace({ isMissing });
    const [begun, end] = [gate(), gate()];
    const written = writeBackup(db, new Date(), async (lines) => {
      begun.open();
      await end.passed;
      for await (const _ of lines);
    });
    await begun.passed;
    const migrated = await migrate(db).then(
      () => null,
      ({ message }: Error) => message,
    );
    if (refusal) expect(migrated).toContain(refusal);
    else expect(migrated).toBeNull();
    end.open();
    await written;
    await migrate(db);
  });

  it("a migration does not wait for ever behind a transaction", async () => {
    const db = await openPlace({ isMissing: true });
    await db.transaction().execute(async (long) => {
      await sql`lock table kysely_migration in share mode`.execute(long);
      await expect(migrate(db)).rejects.toThrow(
        `a long transaction holds what migration ${LAST} changes`,
      );
    });
    await migrate(db);
  });
});
