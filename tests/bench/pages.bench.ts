import { afterAll, beforeAll, expect, it } from "vitest";
import { paths } from "~/paths";
import { openDatabase } from "../../server/platform/database/connection";
import { startSite, type Site } from "../support/site";
import { requestBytes } from "./load";
import { measureMemory } from "./memory-run";
import { rowsOf, type Row } from "./pages-rows";
import { newCoach, newMember, visitorAt } from "./people";
import { CORES, pin, startConstant } from "./process";
import { median, rounded } from "./samples";
import { measureSlice, middleOf, requestOf, type Server, type Slice } from "./slices";
import { printFigures, printTable } from "./table";

/**
 * Throughput, CPU time, latency and memory of pages, beside a constant of the same machine.
 * Run: `npm run build`, then `npm run bench -- pages`. docs/performance.md explains the figures.
 */
const ROUNDS = 5;
const SLICE_MS = 1_000;
const MESSAGES = 6;
const STARTS = 5;
/** The p99 of a cached page is at most so many times its p50, and a millisecond. */
const TAIL = 5;
const MAX_START_SECONDS = 1.5;
const MAX_MEMORY_MB = 200;
/** By so much the heap of a process that keeps nothing differs between two looks. */
const MAX_GROWTH_MB = 10;
const MEMORY_REQUESTS = 200_000;
/** Cuts the memory run short: `BENCH_MINUTES=60 npm run bench -- pages` lets it reach its number. */
const MEMORY_MINUTES = Number(process.env.BENCH_MINUTES ?? 4);
const TIMEOUT_MS = (MEMORY_MINUTES + 10) * 60_000;

type Result = Slice & { row: string; share: number; goal?: number; isCached?: true };

let site: Site;
let server: Server;
let rows: Row[];
let constant: Awaited<ReturnType<typeof startConstant>>;

beforeAll(async () => {
  site = await startSite();
  const database = await openDatabase({ dataDir: site.dataDir });
  const coach = await newCoach(site, database);
  await database.destroy();
  rows = await rowsOf(site, { member: await newMember(site, MESSAGES), coach });
  constant = await startConstant();
}, TIMEOUT_MS);
afterAll(async () => {
  constant.stop();
  await site.remove();
});

it(
  "starts in time",
  async () => {
    const seconds = [];
    for (let start = 0; start < STARTS; start++) seconds.push(await secondsToFirstPage());
    const figures = { seconds: rounded(median(seconds)), goal: MAX_START_SECONDS };
    printFigures({ bench: "pages", row: "start to the first page", ...figures });
    expect(figures.seconds).toBeLessThanOrEqual(MAX_START_SECONDS);
  },
  TIMEOUT_MS,
);

it(
  "reaches the goal of every row",
  async () => {
    pinAll();
    const results = await measureRounds();
    for (const result of results) printFigures({ bench: "pages", ...result, met: isMet(result) });
    printResults(results);
    expect(results.filter((result) => isMet(result) === false).map(({ row }) => row)).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  `stays in its memory for ${MEMORY_REQUESTS} requests`,
  async () => {
    const limits = { requests: MEMORY_REQUESTS, ms: MEMORY_MINUTES * 60_000 };
    const figures = await measureMemory(server, rows, limits);
    printFigures({ bench: "pages", row: "memory", ...figures, goal: MAX_MEMORY_MB });
    expect(figures.peakMb).toBeLessThanOrEqual(MAX_MEMORY_MB);
    expect(figures.growthMb).toBeLessThanOrEqual(MAX_GROWTH_MB);
    expect(figures.requests, "cut short: set BENCH_MINUTES").toBeGreaterThanOrEqual(
      MEMORY_REQUESTS,
    );
  },
  TIMEOUT_MS,
);

/** From a process that is not there to its home page, with the data of an earlier start. */
async function secondsToFirstPage(): Promise<number> {
  await site.stop();
  const start = performance.now();
  await site.restart();
  const { status } = await visitorAt(site).get(paths.home());
  expect(status).toBe(200);
  return (performance.now() - start) / 1000;
}

function pinAll() {
  server = { port: Number(new URL(site.origin).port), pid: () => site.pid() };
  pin(site.pid(), 0);
  pin(constant.pid(), 0);
  pin(process.pid, 1);
}

/** Measures every row once a round, so that other work on the machine slows all of them. */
async function measureRounds(): Promise<Result[]> {
  const bare: Slice[] = [];
  const slices = new Map(rows.map((row) => [row, Array<Slice>()]));
  // The first round only warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    const isCounted = round > 0;
    const ofConstant = await measureSlice(constant, requestBytes("/", {}), SLICE_MS);
    if (isCounted) bare.push(ofConstant);
    for (const [row, own] of slices) {
      const slice = await measureSlice(server, await requestOf(row), SLICE_MS);
      if (isCounted) own.push(slice);
    }
  }
  const ofRows = [...slices].map(([row, own]) => resultOf(row, own, bare));
  return [{ row: "constant", ...middleOf(bare), share: 1 }, ...ofRows];
}

/** The share is the median of the shares in each round: a busy time weighs on both of its parts. */
function resultOf({ name, goal, isCached }: Row, own: readonly Slice[], bare: readonly Slice[]) {
  const shares = own.map(({ perSecond }, round) => perSecond / (bare[round]?.perSecond ?? NaN));
  const result: Result = { row: name, ...middleOf(own), share: Number(median(shares).toFixed(4)) };
  if (goal !== undefined) result.goal = goal;
  if (isCached) result.isCached = isCached;
  return result;
}

/** Undefined without a goal. */
function isMet({ share, goal, isCached, p50Ms, p99Ms }: Result): boolean | undefined {
  if (goal === undefined) return undefined;
  return share >= goal && (!isCached || p99Ms <= TAIL * p50Ms + 1);
}

function printResults(results: readonly Result[]) {
  const heads = ["row", "requests/s", "share", "goal", "met", "CPU ms", "p50 ms", "p99 ms"];
  const lines = results.map((result) => {
    const met = isMet(result);
    const { row, perSecond, share, goal, cpuMs, p50Ms, p99Ms } = result;
    const said = met === undefined ? "" : met ? "yes" : "no";
    return [row, Math.round(perSecond), share, goal, said, cpuMs, p50Ms, p99Ms];
  });
  process.stdout.write(`\n${CORES}\n`);
  printTable(heads, lines);
}
