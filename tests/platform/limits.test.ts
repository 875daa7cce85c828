import { expect, it } from "vitest";
import { subjectOf, widerNetworkOf } from "~/contract/client-address";
import { isPostgres } from "../../server/platform/database/dialect";
import { lockName } from "../../server/platform/database/lock";
import { Refusal } from "../../server/platform/http/refusal";
import { uncountEvent, limit, limitWithLock } from "../../server/platform/limits/limit";
import { LOGIN_FAILURES_OF_ACCOUNT } from "../../server/platform/limits/rules";
import { keyedSubjects } from "../../server/platform/limits/subject";
import { onEachDatabase, type TestPlatform } from "../support/platform";

const DAY_MS = 24 * 3_600_000;
const RULE = { scope: "test", max: 3, windowMs: 60_000 };

onEachDatabase("a limit", (open) => {
  const once = ({ database, clock }: TestPlatform, subject: string, rule = RULE) =>
    limit(database, clock, rule, subject).catch((error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    });
  const isRefused = (result: unknown) => result instanceof Refusal;

  it("allows exactly its number of events", async () => {
    const platform = await open();
    const results = await Promise.all(Array.from({ length: 8 }, () => once(platform, "192.0.2.1")));
    expect(results.filter(isRefused)).toHaveLength(5);
    expect(isRefused(await once(platform, "192.0.2.2"))).toBe(false);
    expect(isRefused(await once(platform, "192.0.2.1", { ...RULE, scope: "other" }))).toBe(false);
  });

  it("of one subject keeps no other waiting", async () => {
    const { database, clock } = await open();
    // SQLite has one writer, whatever it writes.
    if (!isPostgres(database)) return;
    // The first event of a day schedules its purge.
    await limit(database, clock, RULE, "192.0.2.3");
    await database.transaction().execute(async (unfinished) => {
      await limit(unfinished, clock, RULE, "192.0.2.1");
      await limit(database, clock, RULE, "192.0.2.2");
    });
  });

  it("that is reached refuses without waiting for who is counted", async () => {
    const platform = await open();
    const { database, clock } = platform;
    if (!isPostgres(database)) return;
    for (let event = 0; event < 3; event++) await once(platform, "192.0.2.1");
    await database.transaction().execute(async (unfinished) => {
      await lockName(unfinished, "limit.test:192.0.2.1");
      await expect(limit(database, clock, RULE, "192.0.2.1")).rejects.toThrow("Too many attempts");
    });
  });

  it("ignores events of a clock that was ahead, also for locks", async () => {
    const platform = await open();
    const { database, clock } = platform;
    const lock = () =>
      database
        .transaction()
        .execute((transaction) =>
          limitWithLock(transaction, clock, LOGIN_FAILURES_OF_ACCOUNT, "ada"),
        );
    clock.advance(30 * DAY_MS);
    for (let event = 0; event < 3; event++) await once(platform, "192.0.2.1");
    for (let event = 0; event < LOGIN_FAILURES_OF_ACCOUNT.max; event++) await lock();
    await expect(lock()).rejects.toThrow("Too many attempts");
    clock.advance(-30 * DAY_MS);
    expect(isRefused(await once(platform, "192.0.2.1"))).toBe(false);
    await lock();
  });

  it("forgets each event when its time is over", async () => {
    const platform = await open();
    for (let event = 0; event < 3; event++) {
      await once(platform, "192.0.2.1");
      platform.clock.advance(10_000);
    }
    const refused = await once(platform, "192.0.2.1");
    expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "30" } });
    platform.clock.advance(30_000);
    expect(isRefused(await once(platform, "192.0.2.1"))).toBe(false);
    expect(await once(platform, "192.0.2.1")).toMatchObject({ headers: { "retry-after": "10" } });
  });

  it("does not count harmless events", async () => {
    const platform = await open();
    for (let event = 0; event < 10; event++) {
      const uid = await once(platform, "192.0.2.1");
      expect(isRefused(uid)).toBe(false);
      await uncountEvent(platform.database, String(uid));
    }
  });

  it("does not count refused events", async () => {
    const platform = await open();
    for (let event = 0; event < 9; event++) await once(platform, "192.0.2.1");
    expect(await platform.database.selectFrom("limited_event").selectAll().execute()).toHaveLength(
      3,
    );
  });
});

onEachDatabase("a lock that grows", (open) => {
  /** An event at once, or the minutes to wait. */
  const once = async ({ database, clock }: TestPlatform) => {
    try {
      return await database
        .transaction()
        .execute((db) => limitWithLock(db, clock, LOGIN_FAILURES_OF_ACCOUNT, "somebody"));
    } catch (error) {
      if (error instanceof Refusal) return Number(error.headers["retry-after"]) / 60;
      throw error;
    }
  };

  /** Events until one is refused, and how many there were. */
  async function fill(platform: TestPlatform) {
    for (let events = 0; ; events++) {
      const minutes = await once(platform);
      if (typeof minutes === "number") return { events, minutes };
    }
  }

  it("allows fewer than 200 guesses a day", async () => {
    const platform = await open();
    const end = platform.clock.now().getTime() + DAY_MS;
    const rounds = [];
    while (platform.clock.now().getTime() < end) {
      const round = await fill(platform);
      rounds.push(round);
      platform.clock.advance(round.minutes * 60_000);
    }
    expect(rounds.map(({ minutes }) => minutes)).toEqual([15, 30, 60, 120, ...Array(6).fill(240)]);
    expect(rounds.reduce((sum, { events }) => sum + events, 0)).toBe(190);
  });

  it("is reset after a quiet day", async () => {
    const platform = await open();
    for (const minutes of [15, 30, 60]) {
      expect((await fill(platform)).minutes).toBe(minutes);
      platform.clock.advance(minutes * 60_000);
    }
    platform.clock.advance(DAY_MS);
    expect(await fill(platform)).toEqual({ events: 100, minutes: 15 });
  });

  it("is released when its events were harmless", async () => {
    const platform = await open();
    const harmless = String(await once(platform));
    await fill(platform);
    await uncountEvent(platform.database, harmless);
    expect(typeof (await once(platform))).toBe("string");
    expect(await once(platform)).toBe(15);
  });
});

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:0::/56"],
  ["2001:db8:1:12ff::6", "2001:db8:1:1200::/56"],
  ["2001:db8:1:1300::6", "2001:db8:1:1300::/56"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:0::/56"],
  ["2001:db8::1", "2001:db8:0:0::/56"],
  ["::1", "0:0:0:0::/56"],
  [null, "unknown"],
])("the address %s is counted as %s", (address, subject) => {
  expect(subjectOf(address)).toBe(subject);
});

it.each([
  ["192.0.2.7", "192.0.2.0/24"],
  ["2001:db8:1:1200::/56", "2001:db8:1::/48"],
  ["2001:db8:0:0::/56", "2001:db8:0::/48"],
  ["unknown", "unknown"],
])("the subject %s takes its turns within %s", (subject, network) => {
  expect(widerNetworkOf(subject)).toBe(network);
});

it("a keyed subject hides the e-mail and follows its secret", () => {
  const before = keyedSubjects(["an old secret, long enough"]);
  const after = keyedSubjects(["a new secret, long enough", "an old secret, long enough"]);
  const subject = before.of("ada@exemple.fr", "192.0.2.7");
  expect(subject).toMatch(/^[\w-]{43}$/);
  expect(before.of("ada@exemple.fr", "192.0.2.7")).toBe(subject);
  expect(after.of("ada@exemple.fr", "192.0.2.7")).not.toBe(subject);
  expect(after.all("ada@exemple.fr", "192.0.2.7")).toContain(subject);
  // Parts do not run into each other.
  expect(before.of("ab", "c")).not.toBe(before.of("a", "bc"));
});
