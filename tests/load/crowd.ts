/** Does the work for each, at most so many at once. */
export async function crowd<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>) {
  const waiting = [...all];
  const next = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}
