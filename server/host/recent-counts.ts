import { LRUCache } from "lru-cache";

/** Addresses that are counted at the same time. */
const MAX_ADDRESSES = 10_000;

type Options = {
  /** For how long an address is counted, from the first time on. */
  windowMs: number;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
};

/** Counts how often each client, as its address counts (`subjectOf`), has done something of late. */
export function recentCounts({ windowMs, now }: Options) {
  const counts = new LRUCache<string, { count: number; since: number }>({ max: MAX_ADDRESSES });
  const find = (subject: string) => {
    const known = counts.get(subject);
    const isOld = !known || now() - known.since >= windowMs;
    return isOld ? { count: 0, since: now() } : known;
  };
  return {
    /** Counts once more, and returns how often that was. */
    add(subject: string): number {
      const { count, since } = find(subject);
      counts.set(subject, { count: count + 1, since });
      return count + 1;
    },
    of: (subject: string): number => find(subject).count,
  };
}
