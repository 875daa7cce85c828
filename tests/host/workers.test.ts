import { afterEach, describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { waitForMail } from "../support/mailed";
import { runHost, startSite, type Site } from "../support/site";

let site: Site | undefined;
afterEach(async () => {
  await site?.remove();
  site = undefined;
});

type Line = {
  msg: string;
  path?: string;
  worker?: number;
  pid?: number;
  status?: number;
  endedWorker?: number;
};

const linesOf = (from: Site) =>
  from
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Line);

/** The workers that have become ready, in their order. */
const readyOf = (from: Site) => linesOf(from).filter(({ msg }) => msg === "ready");

async function startWorkers(count: number, variables: Record<string, string> = {}) {
  site = await startSite({ WEB_CONCURRENCY: String(count), ...variables });
  const started = site;
  await expect.poll(() => readyOf(started).length).toBe(count);
  return started;
}

/** Status of an answer on a connection of its own. */
async function ask({ origin }: Site, path = paths.home()): Promise<number | "failed"> {
  return fetch(origin + path, { headers: { connection: "close" } }).then(
    async (answer) => {
      await answer.text();
      return answer.status;
    },
    () => "failed" as const,
  );
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("several workers", () => {
  it("all answer, and the start says once that the site is ready", async () => {
    const started = await startWorkers(3);
    await expect
      .poll(async () => {
        await Promise.all(Array.from({ length: 12 }, () => ask(started)));
        const requests = linesOf(started).filter(({ msg }) => msg === "request");
        return new Set(requests.map(({ worker }) => worker)).size;
      })
      .toBe(3);
    await expect
      .poll(() => started.output().match(/^Cap Céleste is ready: .*$/gm) ?? [])
      .toEqual([`Cap Céleste is ready: ${started.origin}`]);
  });

  it("open five streams of a link at most, all together", async () => {
    const started = await startWorkers(6);
    const email = "ada@exemple.fr";
    await fetch(`${started.origin}/api/support/contact/tickets`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title: "Question", message: "Bonjour", email, name: "Ada" }),
    });
    const { text } = await waitForMail(started, email, "bien reçu");
    const [, path = "", query = ""] = /(\/contact\/tickets\/[\w-]+)(\?t=[\w-]+)/.exec(text) ?? [];
    const ends = new AbortController();
    const answers: number[] = [];
    // A response that nobody holds is cancelled, which frees its place.
    const streams: Response[] = [];
    // Each connection goes to any of the workers, also to the one without a place.
    while (answers.filter((status) => status === 429).length < 60) {
      const events = `${started.origin}${path}/events${query}`;
      const options = { signal: ends.signal, headers: { connection: "close" } };
      const answer = await fetch(events, options);
      if (answer.status === 200) streams.push(answer);
      else await answer.text();
      answers.push(answer.status);
    }
    ends.abort();
    expect(streams.length).toBeLessThanOrEqual(5);
    expect(answers.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  });

  it("are one site to who signs in", async () => {
    const started = await startWorkers(2);
    const page = await fetch(started.origin + paths.registration());
    expect(page.status).toBe(200);
    // The secret of sessions is created at the first start: both seal and open with the same.
    const opened = await fetch(started.origin + serverPaths.welcome());
    const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
    for (let n = 0; n < 4; n++) {
      const again = await fetch(started.origin + paths.registration(), {
        headers: { cookie, connection: "close" },
      });
      // Whoever cannot open a session ends it.
      expect([again.status, again.headers.get("set-cookie")]).toEqual([200, null]);
    }
  });

  it("each get their turn to check passwords, also after one was killed", async () => {
    const started = await startWorkers(2);
    const signIn = async (n: number) => {
      const answer = await fetch(`${started.origin}/api/auth_check`, {
        method: "POST",
        headers: { "content-type": "application/json", connection: "close" },
        body: JSON.stringify({ identifier: `nobody-${n}@example.org`, password: "wrong" }),
      }).catch(() => null);
      return answer?.status ?? "failed";
    };
    const crowd = () => Promise.all(Array.from({ length: 8 }, (_, n) => signIn(n)));
    const atKill = crowd();
    process.kill(readyOf(started)[0]?.pid ?? 0, "SIGKILL");
    await atKill;
    await expect.poll(() => readyOf(started).length).toBe(3);
    expect(new Set(await crowd())).toEqual(new Set([401]));
  });

  it("are replaced when they end, and fail no request but their own", async () => {
    const started = await startWorkers(2);
    const [first] = readyOf(started);
    const statuses: (number | "failed")[] = [];
    let isOver = false;
    const asking = Array.from({ length: 4 }, async () => {
      while (!isOver) statuses.push(await ask(started));
    });
    await expect.poll(() => statuses.length).toBeGreaterThan(20);
    process.kill(first?.pid ?? 0, "SIGKILL");
    await expect.poll(() => readyOf(started).length).toBe(3);
    const before = statuses.length;
    await expect.poll(() => statuses.length).toBeGreaterThan(before + 20);
    isOver = true;
    await Promise.all(asking);
    // Each of four may have been asking the worker that was killed.
    expect(statuses.filter((status) => status === "failed").length).toBeLessThanOrEqual(4);
    expect(statuses.filter((status) => status !== "failed")).toEqual(
      statuses.filter((status) => status === 200),
    );
    const ended = linesOf(started).find(({ msg }) => msg === "a worker ended");
    expect(ended).toMatchObject({ endedWorker: 1, pid: first?.pid });
  });

  it("end with the process that runs them", async () => {
    const started = await startWorkers(2);
    const pids = readyOf(started).map(({ pid = 0 }) => pid);
    expect(pids.every(isAlive)).toBe(true);
    expect(await started.stop()).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(linesOf(started).filter(({ msg }) => msg === "stopped")).toHaveLength(2);
  });

  it("do not outlive a killed one", async () => {
    const started = await startWorkers(2);
    const pids = readyOf(started).map(({ pid = 0 }) => pid);
    await started.kill();
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });

  it("all say that the site stops, and serve it meanwhile", async () => {
    const started = await startWorkers(2, { DRAIN_DELAY: "10" });
    const stopped = started.stop();
    const askAll = (path: string) =>
      Promise.all(Array.from({ length: 12 }, () => ask(started, path)));
    await expect.poll(async () => new Set(await askAll("/readyz"))).toEqual(new Set([503]));
    expect(new Set(await askAll(paths.articles()))).toEqual(new Set([200]));
    expect(await stopped).toBe(0);
  });

  it("replace at once one that is stopped alone", async () => {
    const started = await startWorkers(2, { DRAIN_DELAY: "300" });
    const [first] = readyOf(started);
    process.kill(first?.pid ?? 0, "SIGTERM");
    await expect.poll(() => readyOf(started).length).toBe(3);
    expect(await ask(started, "/readyz")).toBe(200);
    expect(await started.stop("SIGINT")).toBe(0);
  });

  it("end at once with a second signal", async () => {
    const started = await startWorkers(2, { DRAIN_DELAY: "300" });
    const pids = readyOf(started).map(({ pid = 0 }) => pid);
    const stopped = started.stop();
    const signalAgain = () => {
      const pid = started.pid();
      if (pid !== undefined) process.kill(pid, "SIGTERM");
      return pid;
    };
    await expect.poll(signalAgain).toBeUndefined();
    expect(await stopped).toBe(1);
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });

  it("are killed when they hang at a stop", async () => {
    const started = await startWorkers(2);
    const [first] = readyOf(started);
    process.kill(first?.pid ?? 0, "SIGSTOP");
    expect(await started.stop()).toBe(1);
    expect(started.output()).toContain(`"pids":[${first?.pid}]`);
    await expect.poll(() => isAlive(first?.pid ?? 0)).toBe(false);
  });

  it("finish the requests that they answer when they are asked to stop", async () => {
    const started = await startWorkers(2);
    const answers = Array.from({ length: 12 }, () => ask(started, paths.articles()));
    const answered = () => linesOf(started).filter(({ path }) => path === paths.articles()).length;
    await expect.poll(answered).toBeGreaterThan(0);
    const stopped = started.stop();
    const statuses = await Promise.all(answers);
    expect(await stopped).toBe(0);
    // What no worker had read yet is refused; none is cut off in the middle of an answer.
    expect(statuses.filter((status) => status === 200)).toHaveLength(answered());
  });
});

it("a refused start gives the first worker's reason once", async () => {
  const { code, stderr } = await runHost({
    WEB_CONCURRENCY: "3",
    PORT: "0",
    DATA_DIR: "package.json",
  });
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toContain("DATA_DIR");
});
