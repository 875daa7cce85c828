import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { crowd } from "../load/crowd";
import { addressOf } from "./address";
import { faultOf } from "./claims";
import { watchHealth, type Health } from "./health";
import { longestFirst, slowAlone } from "./repeat";
import { describeRequest, type HostileRequest } from "./request";
import { newRoster, type HostileSite, type Roster } from "./roster";
import { doorTo, send, type Outcome } from "./sending";

/** Requests at the same time. More would only wait, because one process answers. */
const AT_ONCE = 5;
/** Requests after which new accounts are made, because some requests end the sender's account. */
const ROUND = 2_500;
/** The run stops after so many faults. */
const MAX_FAULTS = 400;
const SLOWEST = 5;
const SHRINKING_MS = 5_000;
/** How long the test waits for a blocked site. */
const HELD_UP_MS = 120_000;
/** How often a request is sent that the site asks to send later, and after which pause. */
const TRIES = 40;
const LATER_MS = 500;

/** A request with a faulty outcome; `path` replays it (fast-check). */
export type Fault = { what: string; path: string; request: HostileRequest; ms: number };

export type Rush = {
  sent: number;
  faults: Fault[];
  /** Waits for `/healthz`. */
  health: Health;
  /** Times of answers by the clock. */
  slowest: { wallMs: number; request: HostileRequest }[];
  /** What is slow when it is repeated alone. */
  slowAlone: string[];
  deaths: number;
};

type Numbered = { path: string; request: HostileRequest };

/** Sends all requests, a few at a time and each from another address, while `/healthz` is watched. */
export async function rushAt(target: HostileSite, requests: readonly Numbered[]): Promise<Rush> {
  const rush: Rush = {
    sent: 0,
    faults: [],
    health: { waits: [], unanswered: 0 },
    slowest: [],
    slowAlone: [],
    deaths: 0,
  };
  const { site } = target;
  const underWay = new Set<HostileRequest>();
  const health = watchHealth({
    origin: site.origin,
    pid: site.pid,
    underWay: () => [...underWay],
  });
  // Shared by all requests that lost their answer at the same time.
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
      const sendOnce = () => send(door, roster, request, addressOf(rush.sent++));
      let outcome = await sendOnce();
      // On a busy machine new visitors are asked to come back. That a request blocks the site, its waits for
      // `/healthz` show.
      for (let tries = 1; tries < TRIES && isLate(outcome); tries++) {
        await wait(LATER_MS);
        outcome = await sendOnce();
      }
      underWay.delete(request);
      const what = faultOf(request, outcome);
      if (what) rush.faults.push({ what, path, request, ms: outcome.ms });
      if (outcome.kind === "answer") rush.slowest.push({ wallMs: outcome.wallMs, request });
      else await (recovery ??= recover());
    });
    door.agent.destroy();
    rush.slowest = longestFirst(rush.slowest).slice(0, SLOWEST);
  }
  rush.health = await health.stop();
  // Between two rounds accounts are made, which is no hostile request.
  const waits = rush.health.waits.filter(({ during }) => during.length > 0);
  rush.slowAlone = await slowAlone(target, rush.slowest, waits);
  return rush;
}

/** True for the answer of `shedding.ts`. */
const isLate = (outcome: Outcome) =>
  outcome.kind === "answer" &&
  outcome.answer.status === 503 &&
  outcome.answer.headers["retry-after"] !== undefined;

/** Shrinks a failed request. Returns null when it does not fail alone. */
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

/** Restarts a site that has ended, or waits until it answers again. Returns whether it had ended. */
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
