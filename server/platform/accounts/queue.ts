import { Refusal } from "../http/refusal";

type Options = {
  atOnce: number;
  /** Waiting and under way together. */
  inHand: number;
  /** The same of one who asks: a few machines leave room for everybody else. */
  inHandOfOne: number;
  retryAfterSeconds: number;
};

/** Runs work in the order in which it comes, so many at a time; who comes when it is full is refused. */
export function queueOf({ atOnce, inHand, inHandOfOne, retryAfterSeconds }: Options) {
  let running = 0;
  const waiting: (() => void)[] = [];
  const inHandOf = new Map<string, number>();

  /**
   * @param whose who asks, as an address counts (`subjectOf`)
   * @throws Refusal 429 when as much is in hand as may be, of all or of them
   */
  return async function inTurn<T>(whose: string, work: () => Promise<T>): Promise<T> {
    const own = inHandOf.get(whose) ?? 0;
    if (running + waiting.length >= inHand || own >= inHandOfOne) throw full();
    inHandOf.set(whose, own + 1);
    try {
      if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      return await work();
    } finally {
      const left = (inHandOf.get(whose) ?? 0) - 1;
      if (left > 0) inHandOf.set(whose, left);
      else inHandOf.delete(whose);
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };

  function full() {
    return new Refusal(429, "Too many requests at once", [], {
      "retry-after": String(retryAfterSeconds),
    });
  }
}
