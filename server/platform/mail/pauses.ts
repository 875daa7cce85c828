import { JobWaiting } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import type { RetryPace } from "../ports/retry-pace";

/** The first pause is shorter than the first retry delay of a job. Each further one is twice as long. */
const PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;

/** The pauses in sending during an outage of the mail server. The log has one line per outage and recovery. */
export function createPauses({ clock, log }: { clock: Clock; log: Log }) {
  let pausedUntil = new Date(0);
  let backSince = clock.now();
  let isAway = false;
  /** Failures in a row of a server that did not even greet, or refuses everybody. */
  let unreached = 0;
  const isPaused = () => clock.now() < pausedUntil;
  const soon = () => new Date(clock.now().getTime() + PAUSE_MS);
  return {
    pausedUntil: () => pausedUntil,
    /** Whether no mail went out when the last one was tried. */
    isOutage: () => isAway,
    /** A server that answers again, and has not taken a mail yet, is not known to be back. */
    countedFrom: () => (isAway ? clock.now() : backSince),
    /**
     * Begins a pause, and an outage if there was none. A server that has greeted is alive, and may take the next
     * mail: its pauses are short.
     */
    begin(
      reason: string,
      { isAlive = false, pace = "usual" }: { isAlive?: boolean; pace?: RetryPace } = {},
    ): JobWaiting {
      const waiting = new JobWaiting(reason, undefined, pace);
      if (isPaused()) {
        // A new mail that is refused during a pause must not prolong it.
        if (isAlive) pausedUntil = new Date(Math.min(pausedUntil.getTime(), soon().getTime()));
        return waiting;
      }
      if (isAlive) pausedUntil = soon();
      else {
        const pauseMs = Math.min(PAUSE_MS * 2 ** unreached, MAX_PAUSE_MS);
        pausedUntil = new Date(clock.now().getTime() + pauseMs);
        unreached++;
      }
      if (!isAway) log.error({ reason }, "no mails go out, tried again until they do");
      isAway = true;
      return waiting;
    },
    /** Ends the pause, and makes the next one of this outage short. */
    shorten() {
      pausedUntil = new Date(0);
      unreached = 0;
    },
    end() {
      if (isAway) {
        log.info({}, "mails go out again");
        backSince = clock.now();
      }
      pausedUntil = new Date(0);
      isAway = false;
      unreached = 0;
    },
  };
}
