import { REQUEST_TIMEOUT_MS } from "~/contract/limits";

/** The time that all calls of one page share. */
export type TimeBudget = {
  /** Milliseconds. Negative once it is spent. */
  left(): number;
  /** Waits for what others wait for too, and gives it up when the time is spent. */
  wait<T>(work: Promise<T>, otherwise: T): Promise<T>;
};

export function openTimeBudget(ms = REQUEST_TIMEOUT_MS): TimeBudget {
  const end = performance.now() + ms;
  const left = () => end - performance.now();
  return {
    left,
    wait: async (work, otherwise) => {
      let timer: NodeJS.Timeout | undefined;
      const over = new Promise<typeof otherwise>((resolve) => {
        timer = setTimeout(() => resolve(otherwise), Math.max(left(), 0));
      });
      return Promise.race([work, over]).finally(() => clearTimeout(timer));
    },
  };
}
