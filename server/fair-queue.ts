/** As much is in hand as may be, of everybody or of the one who asks. */
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
  /** Under way together, of everybody and of one. Unbounded unless told. */
  atOnce?: number;
  atOnceOfOne?: number;
  /** The same, with those that wait. */
  inHand: number;
  inHandOfOne: number;
  /** Calls back when one more may start after one has. Unless told, that is at once. */
  betweenStarts?: (startNext: () => void) => void;
};

/** What one of those who ask has in hand. */
type Lane = { inHand: number; running: number; waiting: Set<() => void> };

/**
 * Runs work so many at a time. Who waits is taken in turn with the others who wait, one of each after
 * the other: a crowd waits for itself, and everybody else for one of the crowd.
 */
export function fairQueue({
  atOnce = Infinity,
  atOnceOfOne = Infinity,
  inHand,
  inHandOfOne,
  betweenStarts,
}: Options) {
  let all = 0;
  let running = 0;
  let isBetweenStarts = false;
  const lanes = new Map<string, Lane>();
  /** Those of which one may start, in the order of their turns. */
  const ready = new Set<Lane>();

  /**
   * @param whose who asks, as an address counts (`subjectOf`)
   * @param signal ends the wait, not the work
   * @throws QueueFull, or WaitGivenUp by the signal; the work has then not begun
   */
  return async function inTurn<T>(
    whose: string,
    work: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (signal?.aborted) throw new WaitGivenUp();
    const lane = lanes.get(whose) ?? { inHand: 0, running: 0, waiting: new Set() };
    if (all >= inHand || lane.inHand >= inHandOfOne) throw new QueueFull();
    lanes.set(whose, lane);
    all++;
    lane.inHand++;
    try {
      await turnOf(lane, signal);
      try {
        return await work();
      } finally {
        running--;
        lane.running--;
      }
    } finally {
      all--;
      if (--lane.inHand === 0) lanes.delete(whose);
      line(lane);
      startNext();
    }
  };

  function turnOf(lane: Lane, signal: AbortSignal | undefined) {
    return new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        lane.waiting.delete(start);
        if (lane.waiting.size === 0) ready.delete(lane);
        reject(new WaitGivenUp());
      };
      signal?.addEventListener("abort", leave, { once: true });
      lane.waiting.add(start);
      line(lane);
      startNext();
    });
  }

  /** Puts it behind the others, unless its turn is yet to come. */
  function line(lane: Lane) {
    if (lane.waiting.size > 0 && lane.running < atOnceOfOne) ready.add(lane);
  }

  function startNext() {
    while (!isBetweenStarts && running < atOnce) {
      const [lane] = ready;
      const [start] = lane?.waiting ?? [];
      if (!lane || !start) return;
      ready.delete(lane);
      lane.waiting.delete(start);
      running++;
      lane.running++;
      line(lane);
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
