import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

const EVERY_MS = 40;

export type Wait = { ms: number; during: string[] };

type Watched = { origin: string; pid(): number | undefined; underWay(): string[] };

/**
 * Asks `/healthz` all the while. What counts of a wait is the time that the site's own thread was
 * running during it, where the kernel tells (`schedstat`): a machine that is busy with other tests
 * makes everybody wait, but only work of the site makes its thread run. The bound is meaningful
 * because few requests are under way at once: all of them together are worked on before the ping is.
 */
export function watchHealth({ origin, pid, underWay }: Watched) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const waits: Wait[] = [];
  let over = false;
  const watch = async () => {
    while (!over) {
      const during = underWay();
      const [start, ran] = [performance.now(), runtimeOf(pid())];
      const answered = await ping(`${origin}/healthz`, agent);
      const wall = performance.now() - start;
      const own = runtimeOf(pid()) - ran;
      if (answered) waits.push({ ms: Math.min(wall, Number.isNaN(own) ? wall : own), during });
      await wait(EVERY_MS);
    }
  };
  const watching = watch();
  return {
    /** The waits, the longest first. */
    async stop(): Promise<Wait[]> {
      over = true;
      await watching;
      agent.destroy();
      return waits.sort((a, b) => b.ms - a.ms);
    },
  };
}

/** Milliseconds for which the process's first thread has run; NaN where nobody tells. */
function runtimeOf(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return NaN;
  }
}

function ping(url: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    const call = get(url, { agent }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode === 200));
    });
    call.on("error", () => resolve(false));
  });
}
