import fc from "fast-check";
import { expect, it } from "vitest";
import type { SoldOffer } from "~/contract/offer";
import type { DurationUnit } from "~/contract/subscriptions";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { payByCard } from "./card-form";
import { CARDS, movements, newPerson, type Person } from "./funnel";
import { back, openAt, passTo, subscriptionOf } from "./life";

const HOUR_MS = 3_600_000;
const FIRST_HOUR = Date.parse("2027-01-01T00:00:00.000Z");

const unit = fc.constantFrom<DurationUnit>("day", "week", "month", "year");
const length = fc.record({ duration: fc.integer({ min: 1, max: 3 }), unit });
const charge = fc.integer({ min: 50, max: 20_000 });

const formulas = fc.record({
  amount: charge,
  period: length,
  trial: fc.option(length.chain((trial) => charge.map((amount) => ({ ...trial, amount })))),
});
type Terms = typeof formulas extends fc.Arbitrary<infer T> ? T : never;

type Hours = fc.Arbitrary<number>;

const hoursBetween = (from: number, until: number): Hours =>
  fc.integer({
    min: (from - FIRST_HOUR) / HOUR_MS,
    max: (until - FIRST_HOUR) / HOUR_MS - 1,
  });

const monthStart = (month: number) => Date.UTC(2027, month, 1);
const months = Array.from({ length: 12 }, (_, month) =>
  hoursBetween(monthStart(month), monthStart(month + 1)),
);
const monthEnds = Array.from({ length: 12 }, (_, month) =>
  hoursBetween(monthStart(month + 1) - 24 * HOUR_MS, monthStart(month + 1)),
);
/** The days on which the clock of Paris changes, at 01:00 UTC, and the hours around that. */
const clockChanges = [Date.UTC(2027, 2, 28), Date.UTC(2027, 9, 31)].map((day) => [
  hoursBetween(day, day + 24 * HOUR_MS),
  ...[0, 1, 2].map((hour) => fc.constant((day - FIRST_HOUR) / HOUR_MS + hour)),
]);

/**
 * Hours of purchases that are charged. The calculation alone is tested at each hour
 * (tests/app/offer.test.ts).
 */
const STRATA = [...months, ...monthEnds, ...clockChanges.flat()];
/** For a database that starts slowly: some of each kind. */
const FEW_STRATA = [
  fc.oneof(...months),
  fc.oneof(...monthEnds),
  fc.oneof(...monthEnds),
  ...clockChanges.map((hours) => fc.oneof(...hours)),
];

onEachDatabase("the offer that is shown is charged", (open) => {
  const strata = () =>
    expect.getState().currentTestName?.includes("PostgreSQL") ? FEW_STRATA : STRATA;

  it("now, at the next debit and in grace", async () => {
    for (const hour of strata()) {
      const property = fc.asyncProperty(storyAt(hour), expectCharged);
      await fc.assert(property, { numRuns: 1, endOnFailure: true });
    }
  });

  async function expectCharged({ terms, hour, isDeclined, wait }: Story) {
    const start = new Date(FIRST_HOUR + hour * HOUR_MS).toISOString();
    const platform = await openAt(open, start);
    await addTerms(platform, terms);
    const person = await newPerson(platform);
    const card = isDeclined ? CARDS.renewalDeclined : CARDS.success;
    const first = await buy(platform, person, card);
    if (!isDeclined) return expectDebit(platform, first);
    await passTo(platform, later(first.nextDebit.date, wait));
    const due = await buy(platform, await back(platform, person), CARDS.success);
    expect(due.due).toEqual({ date: first.nextDebit.date });
    await expectDebit(platform, due);
  }
});

const storyAt = (hour: Hours) =>
  fc.record({
    terms: formulas,
    hour,
    isDeclined: fc.boolean(),
    /** Between a refused renewal and its payment by another card. */
    wait: fc.integer({ min: 0, max: 23 }),
  });
type Story = ReturnType<typeof storyAt> extends fc.Arbitrary<infer T> ? T : never;

async function addTerms({ database }: TestPlatform, { amount, period, trial }: Terms) {
  await database
    .insertInto("formula")
    .values({
      uid: "test",
      name: "Test",
      amount,
      trial_amount: trial?.amount ?? null,
      trial_duration: trial?.duration ?? null,
      trial_duration_unit: trial?.unit ?? null,
      period_duration: period.duration,
      period_duration_unit: period.unit,
    })
    .execute();
}

/** Pays what is offered; the bank and the schedule must say the same. */
async function buy(platform: TestPlatform, person: Person, card: string): Promise<SoldOffer> {
  const answer = await platform.call("GET /offers?formula=test", { token: person.token });
  const offer: SoldOffer = answer.body.payload;
  const body = { formula: "test", offer: offer.statement };
  expect(await payByCard(platform, person, { card, body })).toMatchObject({ status: 200 });
  expect((await movements(platform)).at(-1)).toMatchObject({
    at: platform.clock.now().toISOString(),
    amount: offer.amountNow,
    status: "success",
  });
  expect(await subscriptionOf(platform, person)).toMatchObject({
    expires_at: offer.nextDebit.date,
    amount: offer.nextDebit.amount,
  });
  const renewal = await platform.database
    .selectFrom("job")
    .select("run_at")
    .where("kind", "=", "subscription.renew")
    .where("done_at", "is", null)
    .orderBy("run_at", "desc")
    .executeTakeFirst();
  expect(renewal?.run_at).toBe(offer.nextDebit.date);
  return offer;
}

async function expectDebit(platform: TestPlatform, { nextDebit }: SoldOffer) {
  await passTo(platform, nextDebit.date);
  expect((await movements(platform)).at(-1)).toMatchObject({
    at: nextDebit.date,
    amount: nextDebit.amount,
    status: "success",
  });
}

const later = (moment: string, hours: number) =>
  new Date(Date.parse(moment) + hours * HOUR_MS).toISOString();
