export type Random = ReturnType<typeof createRandom>;

/**
 * Random numbers that repeat for the same seed, so that two measurements use the same data
 * (mulberry32).
 */
export function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    /** A whole number from 0 up to, not including, the limit. */
    below: (limit: number) => Math.floor(next() * limit),
    pick<T>(all: readonly T[]): T {
      const one = all[Math.floor(next() * all.length)];
      if (one === undefined) throw new Error("Nothing to choose from");
      return one;
    },
  };
}
