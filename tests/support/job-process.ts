import { openPlatform } from "../../server/platform";
import { FakeClock } from "../../server/platform/ports/clock";

/** A process that receives a time, runs the jobs due by then and reports their number. */
const clock = new FakeClock();
const silent = { info() {}, warn() {}, error() {} };
const { DATABASE_URL, DATA_DIR = "" } = process.env;

const platform = await openPlatform({
  databaseUrl: DATABASE_URL || undefined,
  dataDir: DATA_DIR,
  contentDir: "server/content",
  siteTitle: "Cap Céleste",
  siteUrl: "https://cap.example",
  secrets: ["a secret for tests only, long enough"],
  activationDelaySeconds: 0,
  clock,
  log: silent,
  jobs: false,
});

process.on("message", (now) => void work(String(now)));
process.send?.("ready");

async function work(now: string) {
  clock.advance(Date.parse(now) - clock.now().getTime());
  process.send?.(await platform.runDueJobs());
}
