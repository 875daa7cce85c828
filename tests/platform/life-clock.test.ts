import { afterEach, expect, it, vi } from "vitest";
import { main as sandbox } from "../../server/cli/sandbox";
import { openPlatform, type Platform } from "../../server/platform";
import { FakeClock } from "../../server/platform/ports/clock";
import { advanceSandbox, SandboxClock } from "../../server/platform/database/sandbox-clock";
import { addDuration } from "~/contract/calendar";
import {
  call,
  onEachDatabase,
  ORIGIN,
  type OpenPlatform,
  type TestPlatform,
} from "../support/platform";
import { rolesOf } from "./funnel";
import { back, ledgerOf, passTo, subscriber, subscriptionOf } from "./life";

const silent = { info() {}, warn() {}, error() {} };

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

onEachDatabase("a day of RENEWAL_CLOCK", (open) => {
  it("makes trial, periods, retries and grace short", async () => {
    const platform = await open({ renewalDaySeconds: 60 });
    const person = await subscriber(platform);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      expires_at: "2026-11-20T10:07:00.000Z",
      grace_until: "2026-11-20T10:14:00.000Z",
    });
    await passTo(platform, "2026-11-20T11:10:00.000Z");
    expect(await ledgerOf(platform, person.email)).toEqual([
      "2026-11-20T10:00:00.000Z charge 100 success",
      "2026-11-20T10:07:00.000Z charge 990 success",
      "2026-11-20T10:37:00.000Z charge 990 success",
      "2026-11-20T11:08:00.000Z charge 990 success",
    ]);
  });

  it("still applies to contracts sold under it", async () => {
    let platform = await open({ renewalDaySeconds: 60 });
    const person = await subscriber(platform);
    platform = await platform.reopen();
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await passTo(platform, "2026-11-20T10:07:00.000Z");
    expect(await rolesOf(platform, person)).toEqual({});
    await passTo(platform, "2026-11-20T10:08:00.000Z");
    expect((await platform.call("GET /subscriptions", { token: person.token })).status).toBe(401);
  });
});

onEachDatabase("the sandbox's clock", (open) => {
  it("advances from job to job, each at its time", async () => {
    const { platform, start } = await openSandbox(open);
    const person = await subscriber(platform);
    const { started_at, expires_at } = await subscriptionOf(platform, person);
    expect(Math.abs(Date.parse(started_at) - start)).toBeLessThan(60_000);
    await advanceSandbox(platform.database, 100);
    await platform.runDueJobs();
    const ledger = await ledgerOf(platform, person.email);
    expect(ledger).toHaveLength(5);
    const due = [0, 1, 2, 3].map((month) => addDuration(new Date(expires_at), month, "month"));
    for (const [index, moment] of due.entries()) {
      const at = Date.parse(ledger[index + 1]?.split(" ")[0] ?? "");
      expect(at - moment.getTime()).toBeGreaterThanOrEqual(0);
      expect(at - moment.getTime()).toBeLessThan(60_000);
    }
    expect(await rolesOf(platform, await back(platform, person))).toEqual({ vip: true });
  });

  it("is the same after a restart and in other processes", async () => {
    const { platform, again } = await openSandbox(open);
    await advanceSandbox(platform.database, 3);
    await advanceSandbox(platform.database, 4);
    await platform.runDueJobs();
    const other = await again();
    await other.runDueJobs();
    const { body } = await other.call("POST /cancellations", {
      body: { name: "Ada", email: "ada@exemple.fr" },
    });
    const expected = addDuration(new Date(), 7, "day").getTime();
    expect(Math.abs(Date.parse(body.payload.receivedAt) - expected)).toBeLessThan(60_000);
  });

  it("adds up the days of simultaneous commands", async () => {
    const { database } = await open();
    const base = new FakeClock("2026-10-20T10:00:00.000Z");
    await Promise.all(Array.from({ length: 8 }, () => advanceSandbox(database, 1, base)));
    const clock = new SandboxClock(database, base);
    while (await clock.catchUp());
    expect(clock.now().toISOString()).toBe("2026-10-28T11:00:00.000Z");
  });

  it("waits for a job that another process does", async () => {
    const { database } = await open();
    const base = new FakeClock();
    await database
      .insertInto("job")
      .values({
        uid: "j",
        kind: "slow",
        payload: "{}",
        run_at: "2026-11-22T10:00:00.000Z",
        attempts: 1,
      })
      .execute();
    await advanceSandbox(database, 5, base);
    const clock = new SandboxClock(database, base);
    expect(await clock.catchUp()).toBe(true);
    expect(await clock.catchUp()).toBe(false);
    expect(clock.now().toISOString()).toBe("2026-11-22T10:00:00.000Z");
    await database.updateTable("job").set({ done_at: "2026-11-22T10:00:00.000Z" }).execute();
    expect(await clock.catchUp()).toBe(true);
    expect(clock.now().toISOString()).toBe("2026-11-25T10:00:00.000Z");
  });

  it("is moved by the command, in whole days", async () => {
    const { place, database } = await open();
    vi.stubEnv("DATABASE_URL", place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", place.dataDir);
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    expect(await sandbox(["advance", "8"])).toBe(0);
    expect(log).toHaveBeenCalledOnce();
    // The jobs of the fake clock may be due within these days, and nobody does them here.
    await database.deleteFrom("job").execute();
    const clock = new SandboxClock(database);
    while (await clock.catchUp());
    const expected = addDuration(new Date(), 8, "day").getTime();
    expect(Math.abs(clock.now().getTime() - expected)).toBeLessThan(60_000);
  });

  it("is said to wait for mails that no server takes", async () => {
    const platform = await open({ mailUrl: "smtp://127.0.0.1:9" });
    await subscriber(platform);
    await platform.runDueJobs();
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    expect(await sandbox(["advance", "1"])).toBe(0);
    expect(log).toHaveBeenCalledTimes(2);
    expect(log.mock.lastCall?.[0]).toMatch(
      /^Slowly: the mail server has not taken \d+ mails, .*Without MAIL_URL, mails become files$/,
    );
  });

  it.each([[], ["0"], ["-1"], ["1.5"], ["many"], ["4000"], ["1", "2"]])(
    "is not moved by advance %s",
    async (...days) => {
      await open();
      const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
      expect(await sandbox(["advance", ...days])).toBe(1);
      expect(error).toHaveBeenCalledOnce();
    },
  );
});

/** A platform with the clock it has by itself, on a database of the test's. */
async function openSandbox(open: OpenPlatform) {
  const first = await open();
  const opened: Platform[] = [];
  closing.push(async () => {
    for (const platform of opened.splice(0)) await platform.close();
  });
  const again = async (): Promise<TestPlatform> => {
    const own = await openPlatform({
      ...first.place,
      contentDir: "server/content",
      siteTitle: "Cap Céleste",
      log: silent,
      secrets: ["a secret for tests only, long enough"],
      activationDelaySeconds: 0,
      siteUrl: ORIGIN,
      jobs: false,
    });
    opened.push(own);
    return { ...first, ...own, call: (line, init) => call(own, line, init) };
  };
  return { platform: await again(), again, start: Date.now() };
}
