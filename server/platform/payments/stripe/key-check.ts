import { MINUTE_MS } from "../../ports/durations";
import { enqueue } from "../../jobs/queue";
import type { Workers } from "../../jobs/runner";
import { checkKey } from "./client";
import { resumeEvents } from "./events";
import type { StripeContext } from "./context";

/** Kind of the job that checks the key when Stripe answers again. */
const CHECK = "stripe.check-key";

/**
 * Checks the key at the start. While Stripe is down the site starts, and a job checks the key later.
 * @returns whether it was checked
 * @throws Error in one sentence when Stripe refuses the key
 */
export async function checkKeyAtStart({ stripe, log }: StripeContext): Promise<boolean> {
  const reason = await checkKey(stripe);
  if (reason === null) return true;
  log.warn({ reason }, "the key of Stripe could not be checked, it is checked again later");
  return false;
}

export async function scheduleKeyCheck({ db, clock }: StripeContext) {
  const runAt = new Date(clock.now().getTime() + MINUTE_MS);
  const key = `${CHECK}:${runAt.toISOString()}`;
  await enqueue(db, { kind: CHECK, key, payload: {}, runAt });
}

export const keyCheckWorkers = (context: StripeContext): Workers => ({
  [CHECK]: async () => {
    const reason = await checkKey(context.stripe);
    if (reason) throw new Error(reason);
    context.log.info({}, "the key of Stripe is good");
    await resumeEvents(context);
  },
});
