import { Refusal } from "../http/refusal";

type Options = {
  atOnce: number;
  /** Waiting and under way together. */
  inHand: number;
  retryAfterSeconds: number;
};

/** Runs work in the order in which it comes, so many at a time; who comes when it is full is refused. */
export function queueOf({ atOnce, inHand, retryAfterSeconds }: Options) {
  let running = 0;
  const waiting: (() => void)[] = [];

  /** @throws Refusal 429 when as much is in hand as may be */
  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) await turn();
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };

  function turn() {
    if (running + waiting.length >= inHand) {
      throw new Refusal(429, "Too many requests at once", [], {
        "retry-after": String(retryAfterSeconds),
      });
    }
    return new Promise<void>((resolve) => waiting.push(resolve));
  }
}
