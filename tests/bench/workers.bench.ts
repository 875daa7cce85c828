import { afterEach, expect, it } from "vitest";
import { openDatabase } from "../../server/platform/database/connection";
import { startSite, type Site } from "../support/site";
import { rowsOf, type Row } from "./pages-rows";
import { newCoach, newMember } from "./people";
import { median, rounded } from "./samples";
import { measureSlice, requestOf } from "./slices";
import { printFigures } from "./table";

/**
 * Requests per second of one and of two workers, on all cores of the machine. Only rows that take the
 * site long are measured: this client needs its core for itself when answers are cheap.
 * Run: `npm run build`, then `npm run bench -- workers`.
 */
const ROUNDS = 5;
const SLICE_MS = 2_000;
const ROWS = ["account", "thread"];
const MESSAGES = 6;
const GOAL = 1.7;
const TIMEOUT_MS = 300_000;

type Place = { site: Site; rows: Row[] };

const sites: Site[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.remove();
});

/** A site with so many workers, and its rows. */
async function open(workers: number): Promise<Place> {
  const site = await startSite({ WEB_CONCURRENCY: String(workers) });
  sites.push(site);
  const database = await openDatabase({ dataDir: site.dataDir });
  const coach = await newCoach(site, database);
  await database.destroy();
  const rows = await rowsOf(site, { member: await newMember(site, MESSAGES), coach });
  return { site, rows: rows.filter(({ name }) => ROWS.includes(name)) };
}

async function perSecond({ site, rows }: Place, name: string) {
  const row = rows.find((one) => one.name === name);
  if (!row) throw new Error(`No row ${name}`);
  const server = { port: Number(new URL(site.origin).port), pid: site.pid };
  return measureSlice(server, await requestOf(row), SLICE_MS);
}

it(
  `two workers answer ${GOAL} times the requests of one`,
  async () => {
    const [one, two] = [await open(1), await open(2)];
    const ratios = [];
    for (const name of ROWS) {
      const rounds = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const [alone, together] = [await perSecond(one, name), await perSecond(two, name)];
        // The first warms up.
        if (round > 0) rounds.push({ alone, together });
      }
      const ratio = median(
        rounds.map(({ alone, together }) => together.perSecond / alone.perSecond),
      );
      printFigures({
        bench: "workers",
        row: name,
        one: rounded(median(rounds.map(({ alone }) => alone.perSecond))),
        two: rounded(median(rounds.map(({ together }) => together.perSecond))),
        clientBusy: rounded(median(rounds.map(({ together }) => together.clientBusy))),
        ratio: rounded(ratio),
      });
      ratios.push(ratio);
    }
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(GOAL);
  },
  TIMEOUT_MS,
);
