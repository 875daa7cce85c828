/** The value below which a part of the samples lies. */
export function quantile(samples: readonly number[], part: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? NaN;
}

export const median = (samples: readonly number[]) => quantile(samples, 0.5);

/** Half of the samples lie within. */
export const spread = (samples: readonly number[]) =>
  quantile(samples, 0.75) - quantile(samples, 0.25);

export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export const rounded = (value: number) => Number(value.toFixed(3));
