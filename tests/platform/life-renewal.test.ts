import { expect, it } from "vitest";
import { onEachDatabase } from "../support/platform";
import { rolesOf } from "./funnel";
import {
  addFormula,
  back,
  ledgerOf,
  mailsTo,
  openAt,
  passDays,
  passTo,
  subscriber,
  subscriptionOf,
  standStillReminded,
} from "./life";

/** Paid on 31 January at ten in Paris: summer time, short months and a leap year in between. */
const ENDS = [
  "2027-02-28T09",
  "2027-03-31T08",
  "2027-04-30T08",
  "2027-05-31T08",
  "2027-06-30T08",
  "2027-07-31T08",
  "2027-08-31T08",
  "2027-09-30T08",
  "2027-10-31T09",
  "2027-11-30T09",
  "2027-12-31T09",
  "2028-01-31T09",
  "2028-02-29T09",
  "2028-03-31T08",
  "2028-04-30T08",
  "2028-05-31T08",
  "2028-06-30T08",
  "2028-07-31T08",
  "2028-08-31T08",
  "2028-09-30T08",
  "2028-10-31T09",
  "2028-11-30T09",
  "2028-12-31T09",
  "2029-01-31T09",
].map((hour) => `${hour}:00:00.000Z`);
const START = "2027-01-31T09:00:00.000Z";

onEachDatabase("a renewal", (open) => {
  it("charges each of twenty-four months on its day", async () => {
    const platform = await openAt(open, START);
    const formula = await addFormula(platform, [1, "month"]);
    const person = await subscriber(platform, { formula });
    for (const end of ENDS.slice(0, -1)) {
      expect(await subscriptionOf(platform, person)).toMatchObject({ expires_at: end });
      await passTo(platform, end);
    }
    expect(await subscriptionOf(platform, person)).toMatchObject({ expires_at: ENDS.at(-1) });
    const days = [START, ...ENDS.slice(0, -1)];
    expect(await ledgerOf(platform, person.email)).toEqual(
      days.map((day) => `${day} charge 2500 success`),
    );
    // Of mails older than a year nothing is kept.
    const told = [`${START} welcome`, ...days.map((day) => `${day} receipt`)];
    expect(await mailsTo(platform, person.email)).toEqual(
      told.filter((line) => line >= "2027-12-01"),
    );
    expect(await rolesOf(platform, await back(platform, person))).toEqual({ vip: true });
  });

  it("follows the trial and counts from its end", async () => {
    const platform = await openAt(open, "2027-01-24T09:00:00.000Z");
    const person = await subscriber(platform);
    await passTo(platform, "2027-04-15T09:00:00.000Z");
    expect(await ledgerOf(platform, person.email)).toEqual([
      "2027-01-24T09:00:00.000Z charge 100 success",
      "2027-01-31T09:00:00.000Z charge 990 success",
      "2027-02-28T09:00:00.000Z charge 990 success",
      "2027-03-31T08:00:00.000Z charge 990 success",
    ]);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      period_start: "2027-03-31T08:00:00.000Z",
      expires_at: "2027-04-30T08:00:00.000Z",
    });
  });

  it.each([
    [
      [1, "year"],
      "2028-02-29T09:00:00.000Z",
      ["2029-02-28T09", "2030-02-28T09", "2031-02-28T09", "2032-02-29T09"],
    ],
    [
      [1, "day"],
      "2027-03-26T09:00:00.000Z",
      ["2027-03-27T09", "2027-03-28T08", "2027-03-29T08", "2027-03-30T08"],
    ],
    [
      [2, "week"],
      "2027-10-18T08:00:00.000Z",
      ["2027-11-01T09", "2027-11-15T09", "2027-11-29T09", "2027-12-13T09"],
    ],
    [
      [3, "month"],
      "2027-08-31T08:00:00.000Z",
      ["2027-11-30T09", "2028-02-29T09", "2028-05-31T08", "2028-08-31T08"],
    ],
  ] as const)("keeps day and hour with periods of %s", async (period, start, hours) => {
    const platform = await openAt(open, start);
    const formula = await addFormula(platform, [...period]);
    const person = await subscriber(platform, { formula });
    for (const hour of hours) {
      const end = `${hour}:00:00.000Z`;
      expect(await subscriptionOf(platform, person)).toMatchObject({ expires_at: end });
      await passTo(platform, end);
    }
    expect(await ledgerOf(platform, person.email)).toHaveLength(hours.length + 1);
  });

  it("keeps its terms when the formula changes", async () => {
    const platform = await open();
    const formula = await addFormula(platform, [1, "month"]);
    const person = await subscriber(platform, { formula });
    const dearer = { amount: 9900, period_duration: 1, period_duration_unit: "week" };
    await platform.database.updateTable("formula").set(dearer).where("uid", "=", formula).execute();
    await passDays(platform, 31);
    expect(await ledgerOf(platform, person.email)).toEqual([
      "2026-11-20T10:00:00.000Z charge 2500 success",
      "2026-12-20T10:00:00.000Z charge 2500 success",
    ]);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      expires_at: "2027-01-20T10:00:00.000Z",
    });
  });

  it("keeps access open while it is due", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    platform.clock.advance(Date.parse("2026-11-27T10:00:00.000Z") - platform.clock.now().getTime());
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
    await platform.runDueJobs();
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
  });

  it.each([
    ["within the grace", 9, "2026-11-27T10:00:00.000Z", "2026-12-27T10:00:00.000Z"],
    ["after access had lapsed", 20, "2026-12-10T10:00:00.000Z", "2027-01-10T10:00:00.000Z"],
    ["a month too late", 50, "2027-01-09T10:00:00.000Z", "2027-02-09T10:00:00.000Z"],
  ])("made %s charges one period", async (_, days, period_start, expires_at) => {
    const platform = await open();
    const person = await subscriber(platform);
    await standStillReminded(platform, days);
    await platform.runDueJobs();
    const ledger = await ledgerOf(platform, person.email);
    expect(ledger.map((line) => line.split(" ")[2])).toEqual(["100", "990"]);
    expect(await subscriptionOf(platform, person)).toMatchObject({ period_start, expires_at });
    await passTo(platform, expires_at);
    expect(await ledgerOf(platform, person.email)).toHaveLength(3);
  });
});
