import fc from "fast-check";
import Stripe from "stripe";
import { expect, it, onTestFinished, vi } from "vitest";
import { onEachDatabase, type OpenPlatform } from "../support/platform";
import { ALWAYS, AT_REST, readBooks, type Books, type Invariant } from "./stripe-books";
import {
  beginLife,
  deliverEvents,
  pass,
  pay,
  settleAll,
  steps,
  wordsOf,
  type Life,
  type Step,
} from "./stripe-lives";
import { addDuration } from "~/contract/calendar";

/** On PostgreSQL, which is slower, fewer lives. `TEST_LIVES=500` looks for rare faults. */
const LIVES = { SQLite: 40, PostgreSQL: 10 };
const lives = Number(process.env.TEST_LIVES ?? 0);

/** A failing life is shortened for that long. */
const SHORTEN_MS = 30_000;
/** Of a machine that does much else: alone, a life takes half a second. */
const LIFE_MS = 6_000;

onEachDatabase("one subscriber's money at Stripe", (open) => {
  it(
    "agrees with books and access, whatever happens",
    async () => {
      makeRepeatable();
      const isPostgres = expect.getState().currentTestName?.includes("PostgreSQL");
      const numRuns = lives || LIVES[isPostgres ? "PostgreSQL" : "SQLite"];
      let failedAt = Infinity;
      const life = fc.asyncProperty(steps, async (steps) => {
        // Shorter lives that are not lived any more count as good: the shortest that failed is told.
        if (Date.now() > failedAt + SHORTEN_MS) return;
        try {
          await live(open, steps);
        } catch (error) {
          failedAt = Math.min(failedAt, Date.now());
          throw error;
        }
      });
      const { failed, counterexample, errorInstance, ...told } = await fc.check(life, { numRuns });
      if (!failed) return;
      const [lived = []] = counterexample ?? [];
      const { seed, counterexamplePath: path } = told;
      expect.fail(`${reportOf(lived, errorInstance)}\nseed ${seed}, path ${path}`);
    },
    (lives || LIVES.SQLite) * LIFE_MS + SHORTEN_MS,
  );
});

/** A random delay of a retry would make a life end differently the next time; a real one takes time. */
function makeRepeatable() {
  const mocks = [
    vi.spyOn(Stripe.prototype, "getInitialNetworkRetryDelay").mockReturnValue(0),
    vi.spyOn(Math, "random").mockReturnValue(0.5),
  ];
  onTestFinished(() => mocks.forEach((mock) => mock.mockRestore()));
}

async function live(open: OpenPlatform, steps: Step[]) {
  const life = await beginLife(open);
  try {
    await liveThrough(life, steps);
  } finally {
    // Its connections would be too many with those of all lives.
    await life.shop.platform.close();
  }
}

async function liveThrough(life: Life, steps: Step[]) {
  const check = () => ensure(life, ALWAYS);
  for (const step of steps) {
    await pass(life, step, check);
    await step.happening.happen(life);
    if (step.mix !== null) await deliverEvents(life, step.mix);
    await check();
  }
  const mix = steps.at(-1)?.mix ?? 0;
  await settleAll(life, mix, check);
  await ensure(life, [...ALWAYS, ...AT_REST]);
  await payAgain(life, mix);
  await ensure(life, [...ALWAYS, ...AT_REST]);
}

/** Who has no access, or no card for a debit that is near, is sold a page, and has access then. */
async function payAgain(life: Life, mix: number) {
  if (!isSoldTo(await readBooks(life.shop))) return;
  life.page = null;
  expect(await pay(life), "a page is sold").toBe(201);
  await deliverEvents(life, mix);
  const { hasAccess } = await readBooks(life.shop);
  expect(hasAccess, "who pays again has access").toBe(true);
}

/** From then on the page accepts another card (docs/stripe.md). */
const WEEKS_BEFORE = 2;

/** Not to who is leaving: their profile is deleted. */
function isSoldTo({ hasAccess, isDeleted, contracts, now }: Books) {
  const newest = contracts.at(-1);
  if (isDeleted || !newest || newest.cancelled_at !== null) return false;
  const isNear =
    addDuration(new Date(newest.expires_at), -WEEKS_BEFORE, "week").toISOString() <= now;
  return !hasAccess || (newest.card_reference === null && isNear);
}

async function ensure({ shop }: Life, invariants: Invariant[]) {
  const books = await readBooks(shop);
  for (const { name, reason, breaks } of invariants) {
    const broken = breaks(books);
    if (broken.length > 0) {
      const first = JSON.stringify(broken[0], withoutLong);
      throw new Error(`Not so at ${books.now}: ${name} (${reason})\n${first}`);
    }
  }
}

/** Offers are long, and most columns are empty. */
const withoutLong = (name: string, value: unknown) =>
  name === "offer" || value === null ? undefined : value;

function reportOf(lived: Step[], error: unknown) {
  const words = lived.map((step, index) => `${index + 1}. ${wordsOf(step)}`);
  return [error instanceof Error ? error.message : String(error), ...words].join("\n");
}
