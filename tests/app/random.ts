import { createRandom } from "../../server/cli/generate/random";

const PIECES = [
  ..."abcXYZ019 -_.~!*'();:@&=+$,/?#[]%\"<>\\^`{|}",
  "é",
  "œ",
  "漢",
  "🌙",
  "\u0000",
  "\t",
  "\n",
  "\r",
  "\u00a0",
  "\u2028",
  "%00",
  "%2f",
  "[0]",
];

/** Random values that repeat: the same seed gives the same values. */
export function randomOf(seed: number) {
  const { below, pick: one } = createRandom(seed);
  const chance = () => below(2) === 0;
  const several = <T>(items: readonly T[], most: number) =>
    Array.from({ length: below(most + 1) }, () => one(items));
  return {
    one,
    several,
    below,
    chance,
    /** A random selection of the items. */
    some: <T>(items: readonly T[]) => items.filter(() => chance()),
    text: () => several(PIECES, 8).join(""),
  };
}
