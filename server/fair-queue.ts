/** The limit of admitted work is reached, in total or for this subject. */
export class QueueFull extends Error {
  constructor() {
    super("Too many requests at once");
  }
}

export class WaitGivenUp extends Error {
  constructor() {
    super("The wait for a turn was given up");
  }
}

type Options = {
  /** Work that may run at the same time, in total and for one subject. Unlimited by default. */
  maxRunning?: number;
  maxRunningPerSubject?: number;
  /** Work that may run or wait. More is refused. */
  maxAdmitted: number;
  maxAdmittedPerSubject: number;
  /** Delays each start after the one before, until it calls back. No delay by default. */
  betweenStarts?: (startNext: () => void) => void;
};

/** Work of one subject. */
type Lane = { admitted: number; running: number; waiting: Set<() => void> };

/**
 * Runs a limited amount of work at a time and lets subjects start in turn (round robin). A subject with
 * a thousand waiting requests delays itself; it delays each other subject by one request at a time.
 */
export function fairQueue({
  maxRunning = Infinity,
  maxRunningPerSubject = Infinity,
  maxAdmitted,
  maxAdmittedPerSubject,
  betweenStarts,
}: Options) {
  let admitted = 0;
  let running = 0;
  let isBetweenStarts = false;
  const lanes = new Map<string, Lane>();
  /** Lanes that may start work, in the order of their turns. */
  const ready = new Set<Lane>();

  /**
   * @param subject the client, as its address counts (`subjectOf`)
   * @param signal ends the wait, not the work
   * @throws QueueFull, or WaitGivenUp when the signal aborts; the work has not started then
   */
  return async function runInTurn<T>(
    subject: string,
    work: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (signal?.aborted) throw new WaitGivenUp();
    const lane = lanes.get(subject) ?? { admitted: 0, running: 0, waiting: new Set() };
    if (admitted >= maxAdmitted || lane.admitted >= maxAdmittedPerSubject) throw new QueueFull();
    lanes.set(subject, lane);
    admitted++;
    lane.admitted++;
    try {
      await waitForTurn(lane, signal);
      try {
        return await work();
      } finally {
        running--;
        lane.running--;
      }
    } finally {
      admitted--;
      if (--lane.admitted === 0) lanes.delete(subject);
      enqueue(lane);
      startNext();
    }
  };

  function waitForTurn(lane: Lane, signal: AbortSignal | undefined) {
    return new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        lane.waiting.delete(start);
        if (lane.waiting.size === 0) ready.delete(lane);
        reject(new WaitGivenUp());
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      lane.waiting.add(start);
      enqueue(lane);
      startNext();
    });
  }

  /** Puts the lane last, unless it already waits for its turn. */
  function enqueue(lane: Lane) {
    if (lane.waiting.size > 0 && lane.running < maxRunningPerSubject) ready.add(lane);
  }

  function startNext() {
    while (!isBetweenStarts && running < maxRunning) {
      const [lane] = ready;
      const [start] = lane?.waiting ?? [];
      if (!lane || !start) return;
      ready.delete(lane);
      lane.waiting.delete(start);
      running++;
      lane.running++;
      enqueue(lane);
      start();
      if (betweenStarts) {
        isBetweenStarts = true;
        betweenStarts(() => {
          isBetweenStarts = false;
          startNext();
        });
      }
    }
  }
}
