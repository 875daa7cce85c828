import fc from "fast-check";
import { expect, it } from "vitest";
import type { DurationUnit, Offer } from "~/contract/subscriptions";
import { DAY_MS } from "../../server/platform/ports/durations";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { payByCard } from "./card-form";
import { CARDS, movements, newPerson, type Person } from "./funnel";
import { back, openAt, passTo, subscriptionOf } from "./life";

/** The bank accepts the first payment and no renewal. */
const RENEWALS_DECLINED = "4000000009000003";
const HOUR_MS = 3_600_000;
const FIRST_HOUR = Date.parse("2027-01-01T00:00:00.000Z");

const unit = fc.constantFrom<DurationUnit>("day", "week", "month", "year");
const length = fc.record({ duration: fc.integer({ min: 1, max: 3 }), unit });
const charge = fc.integer({ min: 50, max: 20_000 });

const formulas = fc.record({
  amount: charge,
  period: length,
  trial: fc.option(
    length.chain((trial) =>
      fc.oneof(charge, fc.constant(0)).map((amount) => ({ ...trial, amount })),
    ),
  ),
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

  async function expectCharged({ terms, hour, isDeclined, wait, stopAfter }: Story) {
    const start = new Date(FIRST_HOUR + hour * HOUR_MS).toISOString();
    const platform = await openAt(open, start);
    await addTerms(platform, terms);
    const person = await newPerson(platform);
    const card = isDeclined ? RENEWALS_DECLINED : CARDS.success;
    const first = await buy(platform, person, card);
    if (!isDeclined || !first.nextDebit) return expectDebit(platform, first);
    await passTo(platform, later(first.nextDebit.date, wait));
    const returning = await back(platform, person);
    const { ended_at } = await subscriptionOf(platform, person);
    if (stopAfter !== null && ended_at === null) await planStop(platform, returning, stopAfter);
    const due = await buy(platform, returning, CARDS.success);
    expect(due.due).toEqual(ended_at === null ? { date: first.nextDebit.date } : null);
    expect(due.trial).toBeNull();
    await expectDebit(platform, due);
  }
});

const storyAt = (hour: Hours) =>
  fc.record({
    terms: formulas,
    hour,
    isDeclined: fc.boolean(),
    /** Hours between a refused renewal and its payment by another card; the grace is seven days. */
    wait: fc.integer({ min: 0, max: 9 * 24 }),
    /** Days after which a cancellation of somebody whose renewal was refused plans the end. */
    stopAfter: fc.option(fc.integer({ min: 1, max: 400 })),
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

async function planStop(platform: TestPlatform, { token, email }: Person, days: number) {
  const day = new Date(platform.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const body = { name: "Zoé Kowalska", email, date: day };
  expect((await platform.call("POST /cancellations", { token, body })).status).toBe(202);
  await platform.runDueJobs();
}

/** Pays what is offered; the bank and the schedule must say the same. */
async function buy(platform: TestPlatform, person: Person, card: string): Promise<Offer> {
  const answer = await platform.call("GET /offers?formula=test", { token: person.token });
  const offer: Offer = answer.body.payload;
  const body = { formula: "test", offer: offer.statement };
  expect(await payByCard(platform, person, { card, body })).toMatchObject({ status: 200 });
  expect((await movements(platform)).at(-1)).toMatchObject({
    at: platform.clock.now().toISOString(),
    amount: offer.amountNow,
    status: "success",
  });
  const contract = await subscriptionOf(platform, person);
  expect(contract.amount).toBe(offer.amount);
  if (offer.isLast) expect(contract.expires_at).toBe(offer.endsAt);
  if (!offer.nextDebit) return offer;
  expect(contract.expires_at).toBe(offer.nextDebit.date);
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

/** The next debit is made as it was shown, and none where none was. */
async function expectDebit(platform: TestPlatform, { nextDebit, endsAt }: Offer) {
  if (!nextDebit) {
    const before = (await movements(platform)).length;
    await passTo(platform, later(endsAt ?? "", 10 * 24));
    expect(await movements(platform)).toHaveLength(before);
    return;
  }
  await passTo(platform, nextDebit.date);
  expect((await movements(platform)).at(-1)).toMatchObject({
    at: nextDebit.date,
    amount: nextDebit.amount,
    status: "success",
  });
}

const later = (moment: string, hours: number) =>
  new Date(Date.parse(moment) + hours * HOUR_MS).toISOString();
