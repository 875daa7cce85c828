const WARM_UP = 20;
const ROUNDS = 200;

/** The median of many rounds in milliseconds: what a busy machine adds now and then does not count. */
export async function medianOf(work: () => Promise<unknown>): Promise<number> {
  for (let round = 0; round < WARM_UP; round++) await work();
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[ROUNDS / 2] ?? NaN;
}

/** Two works in turn, so that what else the machine does weighs on both. */
export async function compare(small: () => Promise<unknown>, large: () => Promise<unknown>) {
  const rounds: { small: number; large: number }[] = [];
  for (let round = 0; round < 3; round++) {
    rounds.push({ small: await medianOf(small), large: await medianOf(large) });
  }
  const best = (name: "small" | "large") => Math.min(...rounds.map((round) => round[name]));
  const [smallMs, largeMs] = [best("small"), best("large")];
  return {
    smallMs: rounded(smallMs),
    largeMs: rounded(largeMs),
    ratio: rounded(largeMs / smallMs),
  };
}

const rounded = (value: number) => Math.round(value * 100) / 100;
