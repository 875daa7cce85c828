import { setTimeout as pause } from "node:timers/promises";
import { subjectOf } from "../../app/contract/client-address";
import type { HostMiddleware } from "./http/request";
import { recentCounts } from "./recent-counts";

/** Refusals of one address in a second that are answered at once. People hardly have one. */
const AT_ONCE = 20;
const WINDOW_MS = 1_000;
const DELAY_MS = 1_000;
/** Answers that wait at the same time, each with the head of its request. Beyond, they are sent at once. */
const MAX_WAITING = 1_000;

const REFUSED = [403, 405, 413, 429, 503];

type Options = {
  /** Ends after so many milliseconds. */
  delay?: (ms: number) => Promise<unknown>;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
};

/**
 * Delays the refusals of an address that is refused again and again: a program that sends its next request when it is
 * answered costs the site hundreds of them a second otherwise, each dearer than a page that is kept.
 */
export function slowRefusals({
  delay = pause,
  now = () => performance.now(),
}: Options = {}): HostMiddleware {
  const refused = recentCounts({ windowMs: WINDOW_MS, now });
  let waiting = 0;
  return async (context, next) => {
    await next();
    if (!REFUSED.includes(context.res.status)) return;
    if (refused.add(subjectOf(context.get("clientAddress"))) <= AT_ONCE) return;
    if (waiting >= MAX_WAITING || context.env.outgoing.closed) return;
    waiting++;
    await delay(DELAY_MS).finally(() => waiting--);
  };
}
