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
export function fairQueue(options: Options) {
  const turns = new Turns(options);

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
    const lane = turns.admit(subject);
    try {
      await turns.wait(lane, signal);
      try {
        return await work();
      } finally {
        turns.end(lane);
      }
    } finally {
      turns.leave(subject, lane);
    }
  };
}

/** Decides which owner's work starts next. */
class Turns {
  readonly #limits: Required<Omit<Options, "betweenStarts">>;
  readonly #betweenStarts: Options["betweenStarts"];
  #admitted = 0;
  #running = 0;
  #isBetweenStarts = false;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that may start work, in the order of their turns. */
  readonly #ready = new Set<Lane>();

  constructor({ betweenStarts, ...limits }: Options) {
    this.#limits = { maxRunning: Infinity, maxRunningPerSubject: Infinity, ...limits };
    this.#betweenStarts = betweenStarts;
  }

  /** @throws QueueFull */
  admit(subject: string): Lane {
    const { maxAdmitted, maxAdmittedPerSubject } = this.#limits;
    const lane = this.#lanes.get(subject) ?? { admitted: 0, running: 0, waiting: new Set() };
    const isFull = this.#admitted >= maxAdmitted || lane.admitted >= maxAdmittedPerSubject;
    if (isFull) throw new QueueFull();
    this.#lanes.set(subject, lane);
    this.#admitted++;
    lane.admitted++;
    return lane;
  }

  /** @throws WaitGivenUp when the signal aborts before the turn comes */
  wait(lane: Lane, signal: AbortSignal | undefined) {
    return new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        lane.waiting.delete(start);
        if (lane.waiting.size === 0) this.#ready.delete(lane);
        reject(new WaitGivenUp());
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      lane.waiting.add(start);
      this.#enqueue(lane);
      this.#startNext();
    });
  }

  end(lane: Lane) {
    this.#running--;
    lane.running--;
  }

  leave(subject: string, lane: Lane) {
    this.#admitted--;
    if (--lane.admitted === 0) this.#lanes.delete(subject);
    this.#enqueue(lane);
    this.#startNext();
  }

  /** Puts the lane last, unless it already waits for its turn. */
  #enqueue(lane: Lane) {
    const isFree = lane.running < this.#limits.maxRunningPerSubject;
    if (lane.waiting.size > 0 && isFree) this.#ready.add(lane);
  }

  #startNext() {
    while (!this.#isBetweenStarts && this.#running < this.#limits.maxRunning) {
      const [lane] = this.#ready;
      const [start] = lane?.waiting ?? [];
      if (!lane || !start) return;
      this.#ready.delete(lane);
      lane.waiting.delete(start);
      this.#running++;
      lane.running++;
      this.#enqueue(lane);
      start();
      this.#delayNext();
    }
  }

  #delayNext() {
    if (!this.#betweenStarts) return;
    this.#isBetweenStarts = true;
    this.#betweenStarts(() => {
      this.#isBetweenStarts = false;
      this.#startNext();
    });
  }
}
