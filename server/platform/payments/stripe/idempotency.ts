import type { StripeContext } from "./context";
import { isServerFault, isStillRunning, isUsedKey } from "./failure";

const BUCKET_MS = 10 * 60_000;

/**
 * Returns another idempotency key every ten minutes: Stripe repeats its first answer to a key for a day,
 * its own failures included, so that one failure would block the call for as long.
 */
export const keyForNow = ({ clock }: Pick<StripeContext, "clock">, key: string): string =>
  `${key}:${Math.floor(clock.now().getTime() / BUCKET_MS)}`;

/**
 * Runs a call with a key; when that is used up by an earlier call or a failure of Stripe, looks for what
 * the call has made, and only when there is nothing runs it with another key.
 */
export async function callOnce<T>(
  context: Pick<StripeContext, "clock">,
  key: string,
  { run, find }: { run: (key: string) => Promise<T>; find: () => Promise<T | null | undefined> },
): Promise<T> {
  try {
    return await run(key);
  } catch (error) {
    if (!(isUsedKey(error) || isServerFault(error)) || isStillRunning(error)) throw error;
    return (await find()) ?? run(keyForNow(context, key));
  }
}
