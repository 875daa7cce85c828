import { expect, it } from "vitest";
import { onEachSite } from "../load/engines";
import type { Size } from "./growth-data";
import { openHouse, SAMPLES, type House } from "./growth-house";
import { rows, type Row } from "./growth-rows";
import { median, millisecondsOf, rounded } from "./samples";
import { printFigures, printTable } from "./table";

/**
 * The same pages in a small house and in a large one. Run: `npm run build`, then
 * `npm run bench -- growth`. docs/performance.md explains the figures.
 */
/** As many tickets as give a whole page of active ones: then both houses show the same number of rows. */
const SMALL: Size = { articles: 100, users: 100, tickets: 100, messages: 1_000 };
const LARGE: Size = { articles: 100_000, users: 100_000, tickets: 20_000, messages: 1_000_000 };
const WARM_UP = 15;
const PAIRS = 60;
const BOUND = 1.3;
/** To fill the large house takes minutes. */
const TIMEOUT_MS = 1_800_000;

onEachSite("a page takes as long in a large house as in a small one", (variables) => {
  it(
    "whatever it reads",
    async () => {
      const databases = [await variables(), await variables()] as const;
      const engine = databases[0].DATABASE_URL ? "PostgreSQL" : "SQLite";
      const small = await openHouse(SMALL, databases[0]);
      const large = await openHouse(LARGE, databases[1]);
      try {
        const results = [];
        for (const row of rows) {
          const result = { row: row.name, ...(await compare(row, small, large)) };
          printFigures({ bench: "growth", engine, ...result, met: result.ratio <= BOUND });
          results.push(result);
        }
        printTable(
          [engine, "small ms", "large ms", "ratio", "met"],
          results.map(({ row, smallMs, largeMs, ratio }) => {
            return [row, smallMs, largeMs, ratio, ratio <= BOUND ? "yes" : "no"];
          }),
        );
        const grown = results.filter(({ ratio }) => ratio > BOUND);
        expect(grown.map(({ row, ratio }) => `${row}: ${ratio}`)).toEqual([]);
      } finally {
        await small.site.remove();
        await large.site.remove();
      }
    },
    TIMEOUT_MS,
  );
});

/** Asks both in turns, so that other work on the machine slows both. */
async function compare(row: Row, small: House, large: House) {
  expect(WARM_UP + PAIRS).toBeLessThanOrEqual(SAMPLES);
  const times = { small: Array<number>(), large: Array<number>() };
  for (let n = 0; n < WARM_UP + PAIRS; n++) {
    const ofSmall = await timeOf(row, small, n);
    const ofLarge = await timeOf(row, large, n);
    if (n < WARM_UP) continue;
    times.small.push(ofSmall);
    times.large.push(ofLarge);
  }
  const [smallMs, largeMs] = [median(times.small), median(times.large)];
  return {
    smallMs: rounded(smallMs),
    largeMs: rounded(largeMs),
    ratio: Number((largeMs / smallMs).toFixed(2)),
  };
}

/** @throws Error for an answer other than 200, and for one from the page cache */
async function timeOf({ name, ask, mayBeCached }: Row, house: House, n: number) {
  return millisecondsOf(async () => {
    const answer = await ask(house, n);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${text.slice(0, 200)}`);
    if (answer.headers.get("x-cache") === "hit" && !mayBeCached) {
      throw new Error(`${name} is answered from the cache`);
    }
  });
}
