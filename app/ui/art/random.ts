export type Random = {
  /** A whole number from min to max, both included. */
  int: (min: number, max: number) => number;
  pick: <T>(choices: readonly [T, ...T[]]) => T;
};

/** The same uid always gives the same numbers, on the server and in the browser (mulberry32). */
export function randomFrom(uid: string): Random {
  let state = hash(uid);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return { int, pick: (choices) => choices[int(0, choices.length - 1)] ?? choices[0] };
}

/** FNV-1a. */
function hash(text: string) {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return value >>> 0;
}
