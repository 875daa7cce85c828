import { addressOf } from "./address";
import { ANSWER_MS } from "./claims";
import { HEALTH_MS, watchHealth, type Wait } from "./health";
import { describeRequest, type HostileRequest } from "./request";
import { newRoster, type HostileSite } from "./roster";
import { doorTo, send } from "./sending";

/** Requests repeated for each of the two bounds. */
const REPEATED = 5;
/** On a busy machine a request may take long without a reason of its own. */
const TRIES = 3;
const FIRST_ADDRESS = 80_000;

type Timed = { wallMs: number };

export const longestFirst = <T extends Timed>(all: readonly T[]): T[] =>
  [...all].sort((a, b) => b.wallMs - a.wallMs);

/**
 * Repeats, one at a time, the requests that took longest by the clock and those during which
 * `/healthz` waited longest. Returns those that are slow alone as well: CPU time does not show a site
 * that waits for a lock or for a thread.
 */
export async function slowAlone(
  target: HostileSite,
  answers: readonly (Timed & { request: HostileRequest })[],
  waits: readonly Wait[],
): Promise<string[]> {
  const roster = await newRoster(target);
  const door = doorTo(target.site, 1);
  let sent = 0;
  const timesOf = async (request: HostileRequest) => {
    const { origin, pid } = target.site;
    const health = watchHealth({ origin, pid, underWay: () => [request] });
    const { wallMs } = await send(door, roster, request, addressOf(FIRST_ADDRESS + sent++));
    const [longest] = longestFirst((await health.stop()).waits);
    return { answer: wallMs, health: longest?.wallMs ?? 0 };
  };
  const suspects = new Set([
    ...longestFirst(answers)
      .slice(0, REPEATED)
      .map(({ request }) => request),
    ...longestFirst(waits)
      .slice(0, REPEATED)
      .flatMap(({ during }) => during),
  ]);
  const slow: string[] = [];
  for (const request of suspects) {
    const tries: string[] = [];
    while (tries.length < TRIES) {
      const { answer, health } = await timesOf(request);
      if (answer <= ANSWER_MS && health <= HEALTH_MS) break;
      tries.push(`${Math.round(answer)} ms, /healthz ${Math.round(health)} ms`);
    }
    if (tries.length === TRIES) slow.push(`${tries.join("; ")}: ${describeRequest(request)}`);
  }
  door.agent.destroy();
  return slow;
}
