import { runAs } from "../current-work";
import type { Logger } from "../log";

/** The SDK repeats itself with each batch, or with each span that it cannot keep. */
const PAUSE_MS = 60_000;
const MAX_LENGTH = 200;

/**
 * Logs what the SDK says, at most one line a minute, and none while the collector is away: spans that are dropped then
 * belong to that outage. Only its own words: what it adds to them may be the answer of a
 * collector, which may repeat the headers of the request.
 */
export function tellRarely(log: Logger, isAway: () => boolean) {
  let toldAt: number | undefined;
  return (words: string) => {
    const now = performance.now();
    if (isAway() || (toldAt !== undefined && now - toldAt < PAUSE_MS)) return;
    toldAt = now;
    const reason = words.slice(0, MAX_LENGTH);
    runAs(null, () => log.warn({ reason }, "the SDK of OpenTelemetry warns"));
  };
}
