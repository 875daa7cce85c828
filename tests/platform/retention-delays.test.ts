import { sql } from "kysely";
import { expect, it } from "vitest";
import type { Tables } from "../../server/platform/database/tables";
import { scheduleDailyPurge, schedulePurge } from "../../server/platform/jobs/purges";
import { after, type Age } from "../../server/platform/ports/age";
import { ENDS } from "../../server/platform/retention/ends";
import { startOfYear } from "~/contract/calendar";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { ageOf, retentionTable } from "../support/retention-table";
import { DAY_MS, passTo } from "./life";
import { EXPIRED, PURGED } from "./retention-rows";

/** Their delays include the day until the next purge: the rows may go a day sooner. */
const WITH_DAILY_PURGE = ["session", "attempts"];
const MINUTE_MS = 60_000;

/** The books count from the end of their calendar year. */
const startOfDelay = (constant: string, now: Date) =>
  constant === "books" ? startOfYear(now, 1) : now;

const purged = retentionTable.flatMap(({ constant, delay, kind, words }) => {
  const kept = PURGED[constant];
  return kept ? [{ ...kept, constant, delay, kind, words }] : [];
});

/** Tables that are purged every day while they have rows. */
const daily = Object.entries(ENDS).flatMap(([table, end]) => ("daily" in end ? [table] : []));

/** How each of them gets a row, and after which time that is over. */
const shortLived: [string, (platform: TestPlatform) => Promise<unknown>, Age][] = daily.map(
  (table) => {
    const row = purged.find(({ tables }) => tables.some((name) => name === table));
    const leave = EXPIRED[table] ?? row?.leave;
    if (!leave) throw new Error(`Nothing leaves a row in ${table}`);
    return [table, leave, row ? ageOf(row.delay) : { days: 1 }];
  },
);

it("what the privacy page counts in days ends daily", () => {
  const promised = purged.filter(({ delay, words }) => /days?$/.test(delay) && words !== "");
  expect(promised.length).toBeGreaterThan(2);
  expect(daily).toEqual(expect.arrayContaining(promised.flatMap(({ tables }) => tables)));
});

/** The names of the rows of some tables. */
async function rowsOf({ database }: TestPlatform, tables: readonly (keyof Tables)[]) {
  const names = tables.map(async (table) => {
    const rows = await database.selectFrom(table).selectAll().execute();
    return rows.map((row) => {
      const named = Object.entries(row).filter(([column]) => NAMING.includes(column));
      return `${table} ${JSON.stringify(named)}`;
    });
  });
  return (await Promise.all(names)).flat().sort();
}

const NAMING = ["uid", "id", "subscription_uid", "account_uid", "address_key"];

onEachDatabase("the retention table", (open) => {
  /** Moves to a time at which the purge runs. */
  async function purgeAt(platform: TestPlatform, moment: number) {
    platform.clock.advance(moment - platform.clock.now().getTime());
    await schedulePurge(platform.database, platform.clock.now());
    await platform.runDueJobs();
  }

  it.each(purged)("tells when rows end: $constant, $kind", async (row) => {
    const { constant, delay, tables, leave } = row;
    const platform = await open();
    const over = after(startOfDelay(constant, platform.clock.now()), ageOf(delay)).getTime();
    const earlier = await rowsOf(platform, tables);
    await leave(platform);
    const left = (await rowsOf(platform, tables)).filter((name) => !earlier.includes(name));
    expect(new Set(left.map((name) => name.split(" ")[0]))).toEqual(new Set(tables));
    const remaining = async () =>
      (await rowsOf(platform, tables)).filter((name) => left.includes(name));
    const day = delay === "1 day" ? DAY_MS / 2 : DAY_MS;
    const sooner = WITH_DAILY_PURGE.includes(constant) ? MINUTE_MS : 0;
    await purgeAt(platform, over - day - sooner);
    expect(await remaining()).toEqual(left);
    await purgeAt(platform, over + DAY_MS);
    expect(await remaining()).toEqual([]);
  });

  it.each(shortLived)("ends rows of %s while nobody comes", async (table, leave, age) => {
    const platform = await open();
    const { database, clock } = platform;
    await leave(platform);
    for (const other of daily.filter((name) => name !== table))
      await sql`delete from ${sql.table(other)}`.execute(database);
    const count = async () => (await sql`select * from ${sql.table(table)}`.execute(database)).rows;
    expect(await count()).not.toEqual([]);
    await scheduleDailyPurge(database, clock.now());
    const over = after(clock.now(), age).getTime() + DAY_MS;
    await passTo(platform, new Date(over).toISOString());
    await platform.runDueJobs();
    expect(await count()).toEqual([]);
  });
});
