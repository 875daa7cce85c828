const PIECES = [
  ..."abcXYZ019 -_.~!*'();:@&=+$,/?#[]%\"<>\\^`{|}",
  ...["é", "œ", "漢", "🌙", "\u0000", "\t", "\n", "\r", "\u00a0", "\u2028", "%00", "%2f", "[0]"],
];

/** Repeatable chance: the same seed, the same values (mulberry32). */
export function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const one = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error("Nothing to choose from");
    return item;
  };
  const several = <T>(items: readonly T[], most: number) =>
    Array.from({ length: below(most + 1) }, () => one(items));
  return {
    one,
    several,
    below,
    chance: () => next() < 0.5,
    /** Each item or not. */
    some: <T>(items: readonly T[]) => items.filter(() => next() < 0.5),
    text: () => several(PIECES, 8).join(""),
  };
}
