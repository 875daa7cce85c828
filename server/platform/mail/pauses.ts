import { JobWaiting } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";

/** The first pause is shorter than the first retry delay of a job. Each further one is twice as long. */
const PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;

/** The pauses in sending during an outage of the mail server. The log has one line per outage and recovery. */
export function createPauses({ clock, log }: { clock: Clock; log: Log }) {
  let pausedUntil = new Date(0);
  let backSince = clock.now();
  let failures = 0;
  const isPaused = () => clock.now() < pausedUntil;
  return {
    isPaused,
    pausedUntil: () => pausedUntil,
    /** Whether no mail went out when the last one was tried. */
    isOutage: () => failures > 0,
    /** A server that answers again, and has not taken a mail yet, is not known to be back. */
    countedFrom: () => (failures > 0 ? clock.now() : backSince),
    /**
     * Begins a pause, and an outage if there was none. A server that has greeted is alive, and may take the next
     * mail: its pauses do not grow.
     */
    begin(reason: string, { isAlive = false } = {}): JobWaiting {
      // A new mail that is refused during a pause must not prolong it.
      if (isPaused()) return new JobWaiting(reason);
      const pauseMs = isAlive ? PAUSE_MS : Math.min(PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
      pausedUntil = new Date(clock.now().getTime() + pauseMs);
      if (failures === 0) log.error({ reason }, "no mails go out, tried again until they do");
      failures++;
      return new JobWaiting(reason);
    },
    end() {
      if (failures > 0) {
        log.info({}, "mails go out again");
        backSince = clock.now();
      }
      pausedUntil = new Date(0);
      failures = 0;
    },
  };
}
