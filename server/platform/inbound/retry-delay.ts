export type RetryDelay = ReturnType<typeof newRetryDelay>;

/** Up to about six hours between looks of twenty seconds. */
const MAX_DOUBLINGS = 10;

/** What failed is tried again after a pause, in ms, that doubles each time. */
export function newRetryDelay(pause: number) {
  const failures = new Map<number, { count: number; due: number }>();
  return {
    isDue: (key: number) => (failures.get(key)?.due ?? 0) <= performance.now(),
    failed(key: number) {
      const count = failures.get(key)?.count ?? 0;
      const due = performance.now() + pause * 2 ** Math.min(count, MAX_DOUBLINGS);
      failures.set(key, { count: count + 1, due });
    },
  };
}
