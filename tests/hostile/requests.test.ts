import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { onEachSite } from "../load/engines";
import { SEED } from "../support/seed";
import { startSite } from "../support/site";
import { hostileRequest } from "./hostile";
import { HEALTH_MS, type Wait } from "./health";
import { longestFirst } from "./repeat";
import { describeRequest } from "./request";
import { rushAt, shrink, type Fault, type Rush } from "./rush";
import type { HostileSite } from "./roster";

/** Sends one request alone. The message of a failure names its path. */
const PATH = process.env.HOSTILE_PATH;
const COUNTS = { SQLite: 20_000, PostgreSQL: 5_000 };
/** A smaller number of requests, for a quick run. */
const COUNT = Number(process.env.HOSTILE_COUNT ?? Infinity);
/** For the run and for shrinking the failed requests. */
const TIMEOUT_MS = 900_000;
const REPORTED = 25;
const SHRUNK = 8;

onEachSite("a site under generated hostile requests", (variables) => {
  let target: HostileSite | undefined;
  afterEach(() => target?.site.remove());

  it(
    "refuses them properly and stays available",
    async () => {
      const given = await variables();
      target = { site: await startSite({ LOG_LEVEL: "warn", ...given }), variables: given };
      const whole = given.DATABASE_URL ? COUNTS.PostgreSQL : COUNTS.SQLite;
      const count = Math.min(whole, COUNT);
      const rush = await rushAt(target, PATH === undefined ? sample(count) : replay(PATH));
      process.stdout.write(`${JSON.stringify(figuresOf(rush))}\n`);
      if (rush.faults.length) throw new Error(await reportOf(target, rush));
      // Between two rounds accounts are made, which is no hostile request.
      const waits = rush.health.waits.filter(({ during }) => during.length > 0);
      expect(waits.length).toBeGreaterThanOrEqual(Math.floor(rush.sent / 1000));
      const blocked = waits.filter(({ ms }) => ms > HEALTH_MS);
      expect(blocked.map(describeWait)).toEqual([]);
      expect(rush.health.unanswered).toBe(0);
      expect(rush.slowAlone).toEqual([]);
      expect(rush.deaths).toBe(0);
    },
    TIMEOUT_MS,
  );
});

function sample(numRuns: number) {
  return fc
    .sample(hostileRequest, { seed: SEED, numRuns })
    .map((request, index) => ({ path: String(index), request }));
}

function replay(path: string) {
  const [request] = fc.sample(hostileRequest, { seed: SEED, path, numRuns: 1 });
  if (!request) throw new Error(`No request at ${path}`);
  return [{ path, request }];
}

function figuresOf({ sent, faults, health, slowest, deaths }: Rush) {
  return {
    seed: SEED,
    sent,
    faults: faults.length,
    deaths,
    healthMs: longestFirst(health.waits)
      .slice(0, 1)
      .map(({ wallMs, ms }) => [wallMs, ms]),
    slowestMs: slowest.map(({ wallMs }) => Math.round(wallMs)),
  };
}

/** Lists each kind of fault with the variables that replay it, then the errors in the site's log. */
async function reportOf(target: HostileSite, rush: Rush) {
  const kinds = new Map<string, Fault[]>();
  for (const fault of rush.faults) {
    kinds.set(kindOf(fault), [...(kinds.get(kindOf(fault)) ?? []), fault]);
  }
  const lines: string[] = [];
  for (const [kind, [fault, ...more]] of [...kinds].slice(0, REPORTED)) {
    if (!fault) continue;
    const small: string | null | undefined =
      lines.length < SHRUNK
        ? await shrink(target, { seed: SEED, path: fault.path }, hostileRequest)
        : undefined;
    lines.push(
      `${kind} (${more.length + 1} times); TEST_SEED=${SEED} HOSTILE_PATH=${fault.path}`,
      `  ${describeRequest(fault.request)}`,
      ...(small === undefined ? [] : [`  ${small ?? "not alone"}`]),
    );
  }
  const slow = rush.slowest.map(
    ({ wallMs, request }) => `${Math.round(wallMs)} ms ${describeRequest(request)}`,
  );
  return [
    `${rush.faults.length} of ${rush.sent} requests went wrong, in ${kinds.size} ways:`,
    ...lines,
    "The slowest:",
    ...slow,
    "The longest wait of /healthz:",
    ...longestFirst(rush.health.waits).slice(0, 1).map(describeWait),
    "What the site logged:",
    ...loggedBy(target),
  ].join("\n");
}

const describeWait = ({ ms, wallMs, during }: Wait) =>
  `${ms} ms of CPU time, ${wallMs} ms, during ${during.map(describeRequest).join("\n")}`;

const kindOf = ({ what, request }: Fault) => `${request.target}: ${what}`;

/** The errors of the site's log, each once. */
function loggedBy({ site }: HostileSite): string[] {
  const lines = site.output().split("\n");
  const errors = lines.flatMap((line) => {
    if (!/"level":"(?:error|fatal)"/.test(line))
      return line.startsWith("{") ? [] : [line.slice(0, 300)];
    const { line: call, path, msg, err } = JSON.parse(line);
    const [, from = ""] = err?.stack?.split("\n") ?? [];
    return [`${call ?? path ?? ""} ${msg}: ${err?.message} ${from}`.slice(0, 300)];
  });
  return [...new Set(errors)].slice(0, 60);
}
