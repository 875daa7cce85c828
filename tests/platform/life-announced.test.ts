import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { addDuration } from "~/contract/calendar";
import { formatDate } from "~/ui/format";
import type { DurationUnit } from "../../app/contract/subscriptions";
import { startMailServer } from "../support/mail-server";
import type { ReceivedMail } from "../support/mail-parts";
import { onEachDatabase, type OpenPlatform, type TestPlatform } from "../support/platform";
import { freePort } from "../support/port";
import { rolesOf, type Person } from "./funnel";
import {
  addFormula,
  back,
  DAY_MS,
  ledgerOf,
  passDays,
  passTo,
  subscriber,
  subscriptionOf,
} from "./life";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A platform whose mail server can be away for some time. */
async function withMailServer(open: OpenPlatform) {
  const port = await freePort();
  const mails: (ReceivedMail & { at: string })[] = [];
  const platform = await open({ mailUrl: `smtp://127.0.0.1:${port}` });
  let server: Awaited<ReturnType<typeof startMailServer>> | null = null;
  const stop = async () => {
    await server?.close();
    server = null;
  };
  const start = async () => {
    server = await startMailServer({ port });
    server.mails.push = (...received) => {
      for (const mail of received) {
        mails.push(Object.assign(mail, { at: platform.clock.now().toISOString() }));
      }
      return mails.length;
    };
  };
  cleanups.push(stop);
  await start();
  return { platform, mails, start, stop };
}

const subjectsOf = (mails: { at: string; headers: ReceivedMail["headers"] }[], words: RegExp) =>
  mails.flatMap(({ at, headers }) => {
    const subject = headers.get("subject") ?? "";
    return words.test(subject) ? [`${at.slice(0, 10)} ${subject.replaceAll("\u00a0", " ")}`] : [];
  });

const debits = async (platform: TestPlatform, { email }: Person) =>
  (await ledgerOf(platform, email)).slice(1).map((line) => line.slice(0, 10));

const isVip = async (platform: TestPlatform, person: Person) =>
  (await rolesOf(platform, await back(platform, person))).vip ?? false;

onEachDatabase("a debit whose announcement does not go out", (open) => {
  it("after a trial waits for its reminder's days", async () => {
    const { platform, mails, start, stop } = await withMailServer(open);
    const person = await subscriber(platform);
    await passTo(platform, "2026-11-23T10:00:00.000Z");
    await stop();
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    expect(await debits(platform, person)).toEqual([]);
    expect(await isVip(platform, person)).toBe(true);
    await start();
    await passTo(platform, "2026-12-01T09:00:00.000Z");
    expect(subjectsOf(mails, /essai/)).toEqual([
      "2026-11-28 Votre essai se termine le 1er déc. 2026",
    ]);
    expect(await debits(platform, person)).toEqual([]);
    expect(await isVip(platform, person)).toBe(true);
    await passTo(platform, "2026-12-02T10:00:00.000Z");
    expect(await debits(platform, person)).toEqual(["2026-12-01"]);
    expect(subjectsOf(mails, /essai/)).toHaveLength(1);
  });

  it("of a renewal waits for a month after it", async () => {
    const { platform, mails, start, stop } = await withMailServer(open);
    const formula = await addFormula(platform, [3, "month"]);
    const person = await subscriber(platform, { formula });
    await passTo(platform, "2026-12-19T10:00:00.000Z");
    await stop();
    // The notice is written on 20 December, the debit due on 20 February.
    // It is given up after thirty days.
    await passTo(platform, "2027-01-25T10:00:00.000Z");
    await start();
    await passTo(platform, "2027-03-20T09:00:00.000Z");
    expect(subjectsOf(mails, /renouvelé/)).toEqual([
      "2027-02-20 Votre abonnement sera renouvelé le 20 mars 2027",
    ]);
    expect(await debits(platform, person)).toEqual([]);
    expect(await isVip(platform, person)).toBe(true);
    await passTo(platform, "2027-03-21T10:00:00.000Z");
    expect(await debits(platform, person)).toEqual(["2027-03-20"]);
  });

  it("keeps access and the whole next period", async () => {
    const { platform, mails, start, stop } = await withMailServer(open);
    const formula = await addFormula(platform, [5, "week"]);
    const person = await subscriber(platform, { formula });
    await platform.runDueJobs();
    await platform.database.deleteFrom("mail").where("key", "like", "renewal-notice:%").execute();
    mails.splice(0);
    await stop();
    await passTo(platform, "2026-12-26T10:00:00.000Z");
    expect(await debits(platform, person)).toEqual([]);
    expect(await isVip(platform, person)).toBe(true);
    await passTo(platform, "2026-12-28T10:00:00.000Z");
    await start();
    await passTo(platform, "2027-01-27T10:00:00.000Z");
    expect(subjectsOf(mails, /renouvelé/)).toEqual([
      "2026-12-28 Votre abonnement sera renouvelé le 28 janv. 2027",
    ]);
    expect(await debits(platform, person)).toEqual([]);
    await passTo(platform, "2027-01-29T10:00:00.000Z");
    expect(await debits(platform, person)).toEqual(["2027-01-28"]);
    expect((await subscriptionOf(platform, person)).expires_at).toMatch(/^2027-03-04/);
  });

  it("is made on its day when its address is refused", async () => {
    let isRefused = false;
    const server = await startMailServer({
      onRcptTo(_address, _session, done) {
        done(isRefused ? Object.assign(new Error("Unknown"), { responseCode: 550 }) : null);
      },
    });
    cleanups.push(() => server.close());
    const platform = await open({ mailUrl: server.url });
    const person = await subscriber(platform);
    await passDays(platform, 3);
    isRefused = true;
    await passDays(platform, 5);
    expect(await debits(platform, person)).toEqual(["2026-11-27"]);
  });

  it("is postponed by a standstill of the renewal, too", async () => {
    const platform = await open();
    const formula = await addFormula(platform, [3, "month"]);
    const person = await subscriber(platform, { formula });
    await passTo(platform, "2026-12-19T10:00:00.000Z");
    platform.clock.advance(70 * DAY_MS);
    expect(await isVip(platform, person)).toBe(true);
    await passTo(platform, "2027-03-27T09:00:00.000Z");
    expect(await debits(platform, person)).toEqual([]);
    expect(await isVip(platform, person)).toBe(true);
    await passTo(platform, "2027-03-28T10:00:00.000Z");
    expect(await debits(platform, person)).toEqual(["2027-03-27"]);
  });
});

const length = fc.constantFrom<[number, DurationUnit]>(
  [32, "day"],
  [5, "week"],
  [2, "month"],
  [10, "week"],
  [3, "month"],
);
const trial = fc.constantFrom<[number, DurationUnit] | null>(
  null,
  [7, "day"],
  [32, "day"],
  [2, "month"],
);
/** Days in which all goes on, and then those without jobs or, `isMail`, without mails alone. */
const trouble = fc.record({
  after: fc.integer({ min: 0, max: 60 }),
  days: fc.integer({ min: 0, max: 25 }),
  isMail: fc.boolean(),
});

/** For as long other lives are tried. */
const BOUND_MS = 10_000;

onEachDatabase("a contract of long periods", (open) => {
  it("has one timely notice before each debit", async () => {
    const { platform, mails, start, stop } = await withMailServer(open);
    const { database } = platform;
    let count = 0;

    async function live(
      period: [number, DurationUnit],
      sold: [number, DurationUnit] | null,
      troubles: { after: number; days: number; isMail: boolean }[],
    ) {
      await database.deleteFrom("job").execute();
      mails.splice(0);
      const formula = await addFormula(platform, period, `long-${count++}`);
      const [trial_duration, trial_duration_unit] = sold ?? [null, null];
      const trial = { trial_duration, trial_duration_unit, trial_amount: sold && 100 };
      await database.updateTable("formula").set(trial).where("uid", "=", formula).execute();
      const person = await subscriber(platform, { formula });
      for (const { after, days, isMail } of troubles) {
        await passDays(platform, after);
        if (isMail) {
          await stop();
          await passDays(platform, days);
          await start();
        } else platform.clock.advance(days * DAY_MS);
        await platform.runDueJobs();
        expect(
          await isVip(platform, person),
          `access at ${platform.clock.now().toISOString()}`,
        ).toBe(true);
      }
      await passDays(platform, 130);
      // After a standstill a debit is made later than its notice said, but never before.
      const renewals = await database
        .selectFrom("payment")
        .select(["period_start", "created_at"])
        .where("account_uid", "=", person.uid)
        .where("kind", "=", "renewal")
        .orderBy("created_at")
        .execute();
      expect(renewals.length).toBeGreaterThan(0);
      const notices = subjectsOf(mails, /renouvelé|suivi d’un abonnement/);
      for (const [index, { period_start, created_at }] of renewals.entries()) {
        const due = period_start ?? "";
        expect(created_at >= due).toBe(true);
        if (index === 0 && sold?.[0] === 7) continue;
        const own = notices.filter((notice) => notice.endsWith(dayName(due)));
        expect(own, `${due} of ${notices.join(", ")}`).toHaveLength(1);
        const [sentOn = ""] = own[0]?.split(" ") ?? [];
        expect(sentOn >= monthsBefore(due, 3), `${own[0]} for ${due}`).toBe(true);
        expect(sentOn <= monthsBefore(due, 1), `${own[0]} for ${due}`).toBe(true);
      }
    }

    await fc.assert(fc.asyncProperty(length, trial, fc.array(trouble, { maxLength: 3 }), live), {
      numRuns: 20,
      interruptAfterTimeLimit: BOUND_MS,
      endOnFailure: true,
    });
  });
});

const dayName = (moment: string) => formatDate(moment).replaceAll("\u00a0", " ");

const monthsBefore = (moment: string, months: number) =>
  addDuration(new Date(moment), -months, "month").toISOString().slice(0, 10);
