import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { crowd } from "../load/crowd";
import { faultOf } from "./claims";
import { watchHealth, type Wait } from "./health";
import { describeRequest, type HostileRequest } from "./request";
import { newRoster, type HostileSite, type Roster } from "./roster";
import { doorTo, send } from "./sending";

/** More would only queue: one process answers, and waits for nobody. */
const AT_ONCE = 5;
/** People last so long: some requests end the session or account of who sends them. */
const ROUND = 2_500;
/** A site that fails each request must not be asked twenty thousand times. */
const MAX_FAULTS = 400;
const SHRINKING_MS = 5_000;
/** What holds the site up for longer is over when the test is. */
const HELD_UP_MS = 120_000;

/** One request that was wrongly answered; `path` is its place in what the seed gives. */
export type Fault = { what: string; path: string; request: HostileRequest; ms: number };

export type Rush = {
  sent: number;
  faults: Fault[];
  /** The longest first. */
  waits: Wait[];
  slowest: { ms: number; request: HostileRequest }[];
  deaths: number;
};

type Numbered = { path: string; request: HostileRequest };

/** Sends all, a few at a time, each from an address of its own, while the site's health is asked. */
export async function rushAt(target: HostileSite, requests: readonly Numbered[]): Promise<Rush> {
  const rush: Rush = { sent: 0, faults: [], waits: [], slowest: [], deaths: 0 };
  const { site } = target;
  const underWay = new Set<HostileRequest>();
  const health = watchHealth({
    origin: site.origin,
    pid: site.pid,
    underWay: () => [...underWay].map(describeRequest),
  });
  // One for all who lost their answer by the same fault.
  let recovery: Promise<void> | null = null;
  const recover = async () => {
    if (await untilHealthy(target)) rush.deaths++;
    recovery = null;
  };
  for (let start = 0; start < requests.length; start += ROUND) {
    const roster = await newRoster(target);
    const door = doorTo(site, AT_ONCE);
    await crowd(requests.slice(start, start + ROUND), AT_ONCE, async ({ path, request }) => {
      if (rush.faults.length >= MAX_FAULTS) return;
      underWay.add(request);
      const outcome = await send(door, roster, request, addressOf(rush.sent++));
      underWay.delete(request);
      const what = faultOf(request, outcome);
      if (what) rush.faults.push({ what, path, request, ms: outcome.ms });
      if (outcome.kind === "answer") noteTime(rush, outcome.ms, request);
      else await (recovery ??= recover());
    });
    door.agent.destroy();
  }
  rush.waits = await health.stop();
  return rush;
}

/** The same request alone, made as small as it still fails; null where it does not fail alone. */
export async function shrink(
  target: HostileSite,
  { seed, path }: { seed: number; path: string },
  requests: fc.Arbitrary<HostileRequest>,
): Promise<string | null> {
  const roster: Roster = await newRoster(target);
  const door = doorTo(target.site, 1);
  let asked = 0;
  const property = fc.asyncProperty(requests, async (request) => {
    const outcome = await send(door, roster, request, addressOf(60_000 + asked++));
    if (outcome.kind !== "answer") await untilHealthy(target);
    return faultOf(request, outcome) === null;
  });
  const run = await fc.check(property, {
    seed,
    path,
    numRuns: 1,
    interruptAfterTimeLimit: SHRINKING_MS,
  });
  door.agent.destroy();
  const smallest = run.counterexample?.[0];
  return smallest ? `path ${run.counterexamplePath}: ${describeRequest(smallest)}` : null;
}

/** Starts the site again where it has ended; otherwise waits for what holds it up. */
async function untilHealthy({ site }: HostileSite): Promise<boolean> {
  let died = false;
  for (;;) {
    const ended = site.pid() === undefined;
    if (ended) await site.restart();
    died ||= ended;
    const signal = AbortSignal.timeout(HELD_UP_MS);
    const answer = await fetch(`${site.origin}/healthz`, { signal }).catch(() => null);
    if (answer?.ok) return died;
    await wait(50);
  }
}

const SLOWEST = 5;

function noteTime({ slowest }: Rush, ms: number, request: HostileRequest) {
  if (slowest.length === SLOWEST && ms < (slowest.at(-1)?.ms ?? 0)) return;
  slowest.push({ ms, request });
  slowest.sort((a, b) => b.ms - a.ms);
  slowest.splice(SLOWEST);
}

/** For measurements between networks (RFC 2544): a limit by address concerns one request only. */
const addressOf = (index: number) =>
  `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
