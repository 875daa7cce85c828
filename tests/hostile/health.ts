import { Agent, get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { HostileRequest } from "./request";
import { stopwatch, threadTime, type Taken } from "./stopwatch";

export const HEALTH_MS = 200;
const EVERY_MS = 40;

/** A wait, with the requests that ran when it began or ended. */
export type Wait = Taken & { during: HostileRequest[] };
export type Health = { waits: Wait[]; unanswered: number };

type Watched = {
  origin: string;
  pid(): number | undefined;
  underWay(): readonly HostileRequest[];
};

/**
 * Requests `/healthz` again and again during the test. Few other requests run at the same time, so a
 * wait above the bound means that one of them blocked the site.
 */
export function watchHealth({ origin, pid, underWay }: Watched) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const health: Health = { waits: [], unanswered: 0 };
  let over = false;
  const watch = async () => {
    while (!over) {
      const [before, running] = [underWay(), pid()];
      const taken = stopwatch(pid, threadTime);
      if (await ping(`${origin}/healthz`, agent)) {
        health.waits.push({ ...taken(), during: [...new Set([...before, ...underWay()])] });
      } else if (running !== undefined && running === pid()) {
        // A site that ended is counted as a death.
        health.unanswered++;
      }
      await wait(EVERY_MS);
    }
  };
  const watching = watch();
  return {
    async stop(): Promise<Health> {
      over = true;
      await watching;
      agent.destroy();
      return health;
    },
  };
}

function ping(url: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    const call = get(url, { agent }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode === 200));
    });
    call.on("error", () => resolve(false));
  });
}
