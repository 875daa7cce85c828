import fc from "fast-check";
import { expect, it } from "vitest";
import { onEachDatabase } from "../support/platform";
import {
  failFirst,
  failRefund,
  liveThrough,
  SANDBOX_FAULTS,
  sandboxProvider,
  stripeProvider,
  type SandboxFault,
  type Step,
} from "./simulation";

const STEPS: Step[] = ["renewal", "retry 1", "retry 2", "retry 3", "end"];
const isSample = (name: string) => name === "unreachable";
const MONTHS = 24;
/** Of a machine that does much else: alone, each takes seconds. */
const LONG_MS = 240_000;
const STRIPE_FAULTS = [
  "400",
  "401",
  "403",
  "404",
  "insufficient_funds",
  "confirm",
  "slow",
] as const;

onEachDatabase("twenty-four months", (open) => {
  const onSample = (fault: string) => {
    const isPostgres = expect.getState().currentTestName?.includes("PostgreSQL");
    return !isPostgres || isSample(fault);
  };

  it.each(SANDBOX_FAULTS)(
    "hold the rule through %s at each step",
    async (fault) => {
      if (!onSample(fault)) return;
      for (const days of [0.5, 12]) {
        const episodes = STEPS.map((step) => ({ fault, step, days }));
        const provider = await sandboxProvider(open);
        await liveThrough(provider, episodes, { months: MONTHS, decline: "declined" });
      }
    },
    LONG_MS,
  );

  it.each(STRIPE_FAULTS)(
    "hold the rule through Stripe's %s at each step",
    async (fault) => {
      if (!onSample(fault)) return;
      const days = { renewal: 2, "retry 1": 0.5, "retry 2": 9, "retry 3": 1, end: 1 };
      const episodes = STEPS.map((step) => ({ fault, step, days: days[step] }));
      const provider = await stripeProvider(open);
      const decline = "insufficient_funds";
      await liveThrough(provider, episodes, { months: MONTHS, decline });
    },
    LONG_MS,
  );

  it.each(SANDBOX_FAULTS)("begin after a first payment that meets %s", async (fault) => {
    await failFirst(await sandboxProvider(open), fault);
  });

  it.each(["401", "403"] as const)("begin after a first payment that meets %s", async (fault) => {
    await failFirst(await stripeProvider(open), fault);
  });

  it.each(["unreachable", "loseAnswers"] as const)("end in a refund through %s", async (fault) => {
    await failRefund(await sandboxProvider(open), fault);
  });

  it.each(["401", "403"] as const)("end in a refund through Stripe's %s", async (fault) => {
    await failRefund(await stripeProvider(open), fault);
  });

  it(
    "hold the rule through faults at random",
    async () => {
      if (!onSample("random")) return;
      const episode = fc.record({
        fault: fc.constantFrom<SandboxFault[]>(...SANDBOX_FAULTS),
        step: fc.constantFrom(...STEPS),
        days: fc.constantFrom(0.1, 0.9, 2, 6.95, 7.05, 12),
      });
      const episodes = fc.array(episode, { minLength: 2, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(episodes, async (faults) => {
          const provider = await sandboxProvider(open);
          await liveThrough(provider, faults, { months: 9, decline: "declined" });
        }),
        { numRuns: 5 },
      );
    },
    LONG_MS,
  );
});
