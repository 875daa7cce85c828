export type RetryDelay = ReturnType<typeof createRetryDelay>;

/** With a pause of twenty seconds, retries are at most about six hours apart. */
const MAX_DOUBLINGS = 10;

/** Tracks when a failed item may be tried again: after a pause in ms that doubles each time. */
export function createRetryDelay(pause: number) {
  const failures = new Map<string, { count: number; due: number }>();
  return {
    isDue: (key: string) => (failures.get(key)?.due ?? 0) <= performance.now(),
    failed(key: string) {
      const count = failures.get(key)?.count ?? 0;
      const due = performance.now() + pause * 2 ** Math.min(count, MAX_DOUBLINGS);
      failures.set(key, { count: count + 1, due });
    },
  };
}
