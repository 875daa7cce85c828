import fc from "fast-check";
import { expect, it } from "vitest";
import type { DurationUnit, Offer } from "~/contract/subscriptions";
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

/** Any hour of a year, the changes of the clock more often than others. */
const hours = fc.oneof(
  fc.integer({ min: 0, max: 365 * 24 }),
  fc.integer({ min: 86 * 24, max: 88 * 24 }),
  fc.integer({ min: 303 * 24, max: 305 * 24 }),
);

onEachDatabase("the offer that is shown is charged", (open) => {
  const runs = () => (expect.getState().currentTestName?.includes("PostgreSQL") ? 5 : 40);

  it("now, at the next debit and in grace", async () => {
    const story = fc.record({
      terms: formulas,
      hour: hours,
      isDeclined: fc.boolean(),
      /** Between a refused renewal and its payment by another card. */
      wait: fc.integer({ min: 0, max: 23 }),
    });
    await fc.assert(
      fc.asyncProperty(story, async ({ terms, hour, isDeclined, wait }) => {
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
      }),
      { numRuns: runs(), endOnFailure: true },
    );
  });
});

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

async function expectDebit(platform: TestPlatform, { nextDebit }: Offer) {
  await passTo(platform, nextDebit.date);
  expect((await movements(platform)).at(-1)).toMatchObject({
    at: nextDebit.date,
    amount: nextDebit.amount,
    status: "success",
  });
}

const later = (moment: string, hours: number) =>
  new Date(Date.parse(moment) + hours * HOUR_MS).toISOString();
