/** The limit of admitted work is reached, in total or for this subject, or the wait became too long. */
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
  /** Work that may run at the same time, in total, for one network and for one subject. Unlimited by default. */
  maxRunning?: number;
  maxRunningPerNetwork?: number;
  maxRunningPerSubject?: number;
  /** Work that may run or wait. More is refused. */
  maxAdmitted: number;
  maxAdmittedPerSubject: number;
  /** The network that a subject belongs to. */
  networkOf: (subject: string) => string;
  /** Longest wait for a turn; unlimited by default. */
  maxWaitMs?: number;
  /** Delays each start after the one before, until it calls back. No delay by default. */
  betweenStarts?: (startNext: () => void) => void;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
};

/** How much the newest time between two starts counts in their average. */
const NEWEST_GAP = 0.2;

/** Work that waits for its turn. */
type Waiting = { isLight: boolean; start: () => void; refuse: (reason: Error) => void };
/** Work of one subject. */
type Lane = { subject: string; network: Network; running: number; waiting: Set<Waiting> };
/** Work of the subjects of one network. `ready`: lanes that may start work, in the order of their turns. */
type Network = {
  name: string;
  running: number;
  waiting: number;
  lanes: Map<string, Lane>;
  ready: Set<Lane>;
  /** Start of its wait for a turn: since then it has had work that may start. */
  readySince: number;
};

/**
 * Runs a limited amount of work at a time. Networks start in turn (round robin), and so do the subjects of a
 * network: a thousand waiting requests delay each other network by one request at a time, even from
 * hundreds of subjects. In a full queue the longest lane gives way to a shorter one (docs/decisions/0049).
 */
export function fairQueue(options: Options) {
  const turns = new Turns(options);

  /**
   * @param subject the client, as its address counts (`subjectOf`)
   * @param signal ends the wait, not the work
   * @param isLight delays no start after its own
   * @throws QueueFull, or WaitGivenUp when the signal aborts; the work has not started then
   */
  async function runInTurn<T>(
    subject: string,
    work: () => Promise<T>,
    { signal, isLight = false }: { signal?: AbortSignal; isLight?: boolean } = {},
  ): Promise<T> {
    if (signal?.aborted) throw new WaitGivenUp();
    const lane = turns.admit(subject);
    await turns.wait(lane, signal, isLight);
    try {
      return await work();
    } finally {
      turns.end(lane);
    }
  }
  return Object.assign(runInTurn, { expectedWaitMs: () => turns.expectedWaitMs() });
}

/** Decides whose work starts next, and whose is refused. */
class Turns {
  readonly #limits: Required<Omit<Options, "betweenStarts" | "networkOf" | "now">>;
  readonly #betweenStarts: Options["betweenStarts"];
  readonly #networkOf: Options["networkOf"];
  readonly #now: () => number;
  #running = 0;
  #waiting = 0;
  #isBetweenStarts = false;
  /** Average time between a start and the next possible one, of the last few. */
  #gapMs = 0;
  readonly #networks = new Map<string, Network>();
  /** Networks that may start work, in the order of their turns. */
  readonly #ready = new Set<Network>();

  constructor({ betweenStarts, networkOf, now, ...limits }: Options) {
    this.#limits = {
      maxRunning: Infinity,
      maxRunningPerNetwork: Infinity,
      maxRunningPerSubject: Infinity,
      maxWaitMs: Infinity,
      ...limits,
    };
    this.#betweenStarts = betweenStarts;
    this.#networkOf = networkOf;
    this.#now = now ?? (() => performance.now());
  }

  /**
   * Returns the lane in which work of this subject may wait; `wait` must follow at once.
   * @throws QueueFull
   */
  admit(subject: string): Lane {
    const { maxAdmitted, maxAdmittedPerSubject } = this.#limits;
    const lane = this.#laneOf(subject);
    if (lane.running + lane.waiting.size >= maxAdmittedPerSubject) throw new QueueFull();
    if (this.#running + this.#waiting >= maxAdmitted) this.#makeRoomFor(lane);
    return lane;
  }

  /** @throws WaitGivenUp when the signal aborts before the turn comes, QueueFull when another displaces it */
  wait(lane: Lane, signal: AbortSignal | undefined, isLight: boolean) {
    return new Promise<void>((resolve, reject) => {
      const { maxWaitMs } = this.#limits;
      const tooLong = () => this.#refuse(lane, waiting, new QueueFull());
      const giveUp = () => this.#refuse(lane, waiting, new WaitGivenUp());
      const timer = maxWaitMs < Infinity ? setTimeout(tooLong, maxWaitMs) : undefined;
      const endWait = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
      };
      const waiting: Waiting = {
        isLight,
        start() {
          endWait();
          resolve();
        },
        refuse(reason) {
          endWait();
          reject(reason);
        },
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#add(lane, waiting);
      this.#startNext();
    });
  }

  /**
   * How long somebody of another network would wait for their turn now: one start of each network that may start
   * work, and at least as long as the first of these has waited already. Work that waits for other work of its own
   * subject or network delays nobody.
   */
  expectedWaitMs(): number {
    const [first] = this.#ready;
    if (!first) return 0;
    return Math.max(this.#ready.size * this.#gapMs, this.#now() - first.readySince);
  }

  end(lane: Lane) {
    this.#running--;
    lane.network.running--;
    lane.running--;
    this.#arrange(lane);
    this.#startNext();
  }

  #laneOf(subject: string): Lane {
    const name = this.#networkOf(subject);
    const network = this.#networks.get(name) ?? {
      name,
      running: 0,
      waiting: 0,
      lanes: new Map<string, Lane>(),
      ready: new Set<Lane>(),
      readySince: 0,
    };
    return network.lanes.get(subject) ?? { subject, network, running: 0, waiting: new Set() };
  }

  /**
   * Refuses the newest work of the longest lane: of the network that waits for most, or of the lane's own
   * network when no other would still wait for as much. So the share of each moves towards the same.
   * @throws QueueFull when the lane itself waits for as much as the others
   */
  #makeRoomFor(lane: Lane) {
    const largest = longestOf(this.#networks.values(), ({ waiting }) => waiting);
    const isLarger = largest !== undefined && largest.waiting > lane.network.waiting + 1;
    const { lanes } = isLarger ? largest : lane.network;
    const longest = longestOf(lanes.values(), ({ waiting }) => waiting.size);
    const newest = [...(longest?.waiting ?? [])].at(-1);
    if (!longest || !newest) throw new QueueFull();
    if (!isLarger && longest.waiting.size <= lane.waiting.size + 1) throw new QueueFull();
    this.#refuse(longest, newest, new QueueFull());
  }

  #refuse(lane: Lane, waiting: Waiting, reason: Error) {
    this.#remove(lane, waiting);
    waiting.refuse(reason);
  }

  #add(lane: Lane, waiting: Waiting) {
    lane.waiting.add(waiting);
    lane.network.waiting++;
    this.#waiting++;
    this.#arrange(lane);
  }

  #remove(lane: Lane, waiting: Waiting) {
    lane.waiting.delete(waiting);
    lane.network.waiting--;
    this.#waiting--;
    this.#arrange(lane);
  }

  /** Puts a lane and its network last when they may start work, unless they already wait for their turn. */
  #arrange(lane: Lane) {
    const { maxRunningPerSubject, maxRunningPerNetwork } = this.#limits;
    const { network, subject } = lane;
    const mayStart = lane.waiting.size > 0 && lane.running < maxRunningPerSubject;
    toggle(network.ready, lane, mayStart);
    const isReady = network.ready.size > 0 && network.running < maxRunningPerNetwork;
    if (isReady && !this.#ready.has(network)) network.readySince = this.#now();
    toggle(this.#ready, network, isReady);
    if (lane.waiting.size + lane.running > 0) network.lanes.set(subject, lane);
    else network.lanes.delete(subject);
    if (network.lanes.size > 0) this.#networks.set(network.name, network);
    else this.#networks.delete(network.name);
  }

  #startNext() {
    while (!this.#isBetweenStarts && this.#running < this.#limits.maxRunning) {
      const [network] = this.#ready;
      const [lane] = network?.ready ?? [];
      const [waiting] = lane?.waiting ?? [];
      if (!network || !lane || !waiting) return;
      this.#ready.delete(network);
      network.ready.delete(lane);
      this.#running++;
      network.running++;
      lane.running++;
      this.#remove(lane, waiting);
      waiting.start();
      if (!waiting.isLight) this.#delayNext();
    }
  }

  #delayNext() {
    if (!this.#betweenStarts) return;
    this.#isBetweenStarts = true;
    const startedAt = this.#now();
    this.#betweenStarts(() => {
      this.#isBetweenStarts = false;
      this.#gapMs += NEWEST_GAP * (this.#now() - startedAt - this.#gapMs);
      this.#startNext();
    });
  }
}

/** The longest; of several the newest, because the others waited before it came. */
function longestOf<T>(all: Iterable<T>, lengthOf: (one: T) => number): T | undefined {
  let longest: T | undefined;
  for (const one of all) {
    if (longest === undefined || lengthOf(one) >= lengthOf(longest)) longest = one;
  }
  return longest;
}

function toggle<T>(set: Set<T>, one: T, isIn: boolean) {
  if (isIn) set.add(one);
  else set.delete(one);
}
