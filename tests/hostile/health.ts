import { Agent, get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { stopwatch, threadTime } from "./stopwatch";

const EVERY_MS = 40;

/** A wait, with the requests that ran when it began or ended. */
export type Wait = { ms: number; during: string[] };

type Watched = { origin: string; pid(): number | undefined; underWay(): string[] };

/**
 * Requests `/healthz` again and again during the test. Few other requests run at the same time, so a
 * wait above the bound means that one of them blocked the site.
 */
export function watchHealth({ origin, pid, underWay }: Watched) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const waits: Wait[] = [];
  let over = false;
  const watch = async () => {
    while (!over) {
      const before = underWay();
      const taken = stopwatch(pid, threadTime);
      if (await ping(`${origin}/healthz`, agent)) {
        const ms = taken();
        waits.push({ ms, during: [...new Set([...before, ...underWay()])] });
      }
      await wait(EVERY_MS);
    }
  };
  const watching = watch();
  return {
    /** Ends the watch and returns the waits, the longest first. */
    async stop(): Promise<Wait[]> {
      over = true;
      await watching;
      agent.destroy();
      return waits.sort((a, b) => b.ms - a.ms);
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
