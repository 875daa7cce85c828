import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod/v4";
import { openMetrics } from "../../server/host/metrics/metrics";
import type { Measured } from "../../server/host/metrics/platform-metrics";
import { read } from "../architecture/sources";
import { openHost, send, type TestHost } from "../support/host";
import { freePort } from "../support/port";
import { runHost, startSite, type Site } from "../support/site";

type Metered = { site: Site; metrics: string };

async function startMetered(variables: Record<string, string> = {}): Promise<Metered> {
  const port = String(await freePort());
  const site = await startSite({ METRICS_PORT: port, ...variables });
  return { site, metrics: `http://127.0.0.1:${port}/metrics` };
}

const textOf = async ({ metrics }: Metered) => (await fetch(metrics)).text();

/** Values of the series of a name, by their labels. */
function seriesOf(text: string, name: string) {
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`));
  return Object.fromEntries(
    lines.map((line): [string, number] => {
      const end = line.lastIndexOf(" ");
      return [line.slice(name.length, end), Number(line.slice(end))];
    }),
  );
}

const valueOf = (text: string, name: string) =>
  new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1] ?? null;

const sumOf = (series: Record<string, number>) =>
  Object.values(series).reduce((sum, value) => sum + value, 0);

const REQUESTS = "cap_http_request_duration_seconds_count";

describe("the metrics of a site", () => {
  let metered: Metered;
  beforeAll(async () => {
    metered = await startMetered();
  });
  afterAll(() => metered.site.remove());

  it("are alone on their port, and not on the site's", async () => {
    const { site, metrics } = metered;
    const statusOf = async (url: string, method = "GET") => (await fetch(url, { method })).status;
    expect(await statusOf(metrics)).toBe(200);
    expect(await statusOf(metrics, "HEAD")).toBe(200);
    expect(await statusOf(metrics, "POST")).toBe(405);
    for (const path of ["/", "/healthz", "/metrics/", "/api/openapi.json"]) {
      expect(await statusOf(new URL(path, metrics).href)).toBe(404);
    }
    expect(await statusOf(`${site.origin}/metrics`)).toBe(404);
  });

  it("count requests by route, method and status", async () => {
    const { origin } = metered.site;
    const before = seriesOf(await textOf(metered), REQUESTS);
    for (const path of [
      "/articles",
      "/articles",
      "/article/unknown",
      "/api/formulas/vip-mensuel",
    ]) {
      await fetch(origin + path);
    }
    await fetch(`${origin}/contact/link`, { method: "POST", body: new URLSearchParams() });
    const after = seriesOf(await textOf(metered), REQUESTS);
    const more = Object.entries(after).flatMap(([labels, value]) => {
      const count = value - (before[labels] ?? 0);
      return count === 0 || labels.includes("/readyz") ? [] : [`${count} ${labels}`];
    });
    expect(more.sort()).toEqual([
      '1 {route="/api/formulas/{uid}",method="GET",status="200"}',
      '1 {route="/article/{uid}",method="GET",status="404"}',
      '1 {route="/contact/link",method="POST",status="400"}',
      '2 {route="/articles",method="GET",status="200"}',
    ]);
  });

  it("hold nothing of a person, and grow with no address", async () => {
    const { origin } = metered.site;
    const personal = (n: number) => `ada-${n}@exemple.fr`;
    const visit = async (n: number) => {
      const name = personal(n);
      const headers = { "user-agent": name, "x-request-id": `lovelace-${n}`, referer: name };
      for (const path of [`/${name}`, `/article/${name}`, `/articles?q=${name}`, `/api/${name}`]) {
        await fetch(origin + path, { headers });
      }
      const body = new URLSearchParams({ email: name, password: "lovelace-lovelace" });
      await fetch(`${origin}/login`, { method: "POST", headers, body });
      await fetch(`${origin}/api/users/${name}`, { method: "DELETE", headers });
    };
    await visit(0);
    const before = await textOf(metered);
    for (let n = 1; n < 6; n++) await visit(n);
    const after = await textOf(metered);
    expect(after).not.toMatch(/ada-|exemple|lovelace|127\.0\.0\.1/);
    const names = (text: string) => Object.keys(seriesOf(text, REQUESTS)).sort();
    expect(names(after)).toEqual(names(before));
  });

  it("tell how pages were found", async () => {
    const { origin } = metered.site;
    const resultsOf = async () => seriesOf(await textOf(metered), "cap_page_cache_answers_total");
    await fetch(`${origin}/articles`);
    const before = await resultsOf();
    for (const path of ["/articles", "/articles", "/article/unknown"]) await fetch(origin + path);
    const after = await resultsOf();
    const more = ["hit", "miss", "bypass"].map((result) => {
      const labels = `{result="${result}"}`;
      return (after[labels] ?? 0) - (before[labels] ?? 0);
    });
    expect(more).toEqual([2, 0, 1]);
  });

  it("have all that the suggested alarms ask for", async () => {
    const text = await textOf(metered);
    const exposed = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = "", type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    );
    const unknown = alarms().flatMap(({ alert, expr }) => {
      const names = [...expr.matchAll(/\b(?:cap|nodejs|process)_\w+/g)].map(([name]) => name);
      return names.filter((name) => !exposed.includes(name)).map((name) => `${alert}: ${name}`);
    });
    expect(unknown).toEqual([]);
    const chosen = alarms().flatMap(({ expr }) =>
      [...expr.matchAll(/(cap_\w+)\{(\w+="\w+")\}/g)].map(([, name = "", label = ""]) => ({
        name,
        label,
      })),
    );
    expect(chosen.length).toBeGreaterThan(1);
    const missing = chosen.filter(
      ({ name, label }) => !Object.keys(seriesOf(text, name)).some((key) => key.includes(label)),
    );
    expect(missing).toEqual([]);
  });
});

function alarms() {
  const text = z.string().min(10);
  const rule = z.strictObject({
    alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
    expr: z.string().min(5),
    for: z
      .string()
      .regex(/^\d+m$/)
      .optional(),
    labels: z.strictObject({ severity: z.enum(["page", "ticket"]) }),
    annotations: z.strictObject({ summary: text, description: text, action: text }),
  });
  const group = z.strictObject({ name: z.string(), rules: z.array(rule) });
  const file = z.strictObject({ groups: z.array(group) });
  return file.parse(parseYaml(read("docs/alerts.yaml"))).groups.flatMap(({ rules }) => rules);
}

it("each alarm says what it means and what to do", () => {
  const names = alarms().map(({ alert }) => alert);
  expect(names.length).toBeGreaterThan(10);
  expect(new Set(names).size).toBe(names.length);
});

describe("the metrics of workers", () => {
  let metered: Metered | undefined;
  afterEach(() => metered?.site.remove());

  it("are sums, also of a worker that has ended", async () => {
    metered = await startMetered({ WEB_CONCURRENCY: "2" });
    const { site } = metered;
    const started = metered;
    const pids = () =>
      [...site.output().matchAll(/"pid":(\d+),"msg":"ready"/g)].map(([, pid]) => Number(pid));
    await expect.poll(() => pids().length).toBe(2);
    const connection = "close";
    for (let n = 0; n < 10; n++) {
      await fetch(`${site.origin}/article/unknown`, { headers: { connection } });
    }
    const counted = async () => {
      const series = seriesOf(await textOf(started), REQUESTS);
      return sumOf(
        Object.fromEntries(Object.entries(series).filter(([labels]) => labels.includes("{uid}"))),
      );
    };
    await expect.poll(counted).toBe(10);
    const text = await textOf(started);
    expect(valueOf(text, "cap_database_up")).toBe("1");
    expect(valueOf(text, "cap_workers_silent")).toBe("0");
    process.kill(pids()[0] ?? 0, "SIGKILL");
    await expect.poll(() => pids().length).toBe(3);
    expect(await counted()).toBe(10);
  });
});

it("a start without its port for metrics is refused", async () => {
  const { server, port } = await openHost();
  const refused = await runHost({ PORT: "0", METRICS_PORT: String(port), DATA_DIR: "/tmp" });
  server.close();
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain(`METRICS_PORT: ${port} is already in use`);
});

describe("the metrics of a host", () => {
  const hosts: TestHost[] = [];
  afterEach(() => {
    for (const { server } of hosts.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  it("count streams as long as they are open", async () => {
    const metrics = openMetrics(() => undefined);
    const ends: (() => void)[] = [];
    const host = await openHost({
      metrics,
      pages: () => {
        const body = new ReadableStream({ start: (it) => void ends.push(() => it.close()) });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      },
    });
    hosts.push(host);
    const openStreams = async () => valueOf(await metrics.text(), "cap_event_streams");
    const streams = [send(host, "/events"), send(host, "/events")];
    await send(host, "/events", { method: "HEAD" });
    await expect.poll(openStreams).toBe("2");
    for (const end of ends) end();
    await Promise.all(streams);
    await expect.poll(openStreams).toBe("0");
  });

  const nothing = {
    lanes: [],
    mails: { waiting: 0, failing: 0, oldestSeconds: 0, areStopped: false },
  };
  const figuresOf = async (platform: Measured | undefined) => {
    const text = await openMetrics(() => platform).text();
    const names = ["cap_database_up", "cap_mails_waiting", "cap_database_connection_waits"];
    return names.map((name) => valueOf(text, name));
  };

  it.each<[string, Measured | undefined, (string | null)[]]>([
    [
      "tell of a database that answers",
      { waiting: async () => nothing, connections: () => null, fault: async () => null },
      ["1", "0", null],
    ],
    [
      "tell of a database that takes no writes",
      { waiting: async () => nothing, connections: () => null, fault: async () => "disk full" },
      ["0", "0", null],
    ],
    [
      "tell of a database that hangs",
      {
        waiting: () => new Promise(() => undefined),
        connections: () => ({ busy: 10, idle: 0, waiting: 3 }),
        fault: async () => null,
      },
      ["0", null, "3"],
    ],
    [
      "tell of a database that fails",
      {
        waiting: () => Promise.reject(new Error("gone")),
        connections: () => null,
        fault: async () => null,
      },
      ["0", null, null],
    ],
    ["tell of no database behind an API", undefined, [null, null, null]],
  ])("%s", async (_, platform, figures) => {
    expect(await figuresOf(platform)).toEqual(figures);
  });
});
