import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLog } from "../../server/log";
import { watchCollector } from "../../server/traces/collector";
import { tellRarely } from "../../server/traces/tell-rarely";
import { startCollector, type Collector } from "../support/collector";
import { freePort } from "../support/port";
import { runHost, startSite, type Site } from "../support/site";

const SECRET = "jeton-du-collecteur";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(endpoint: string): Promise<Site> {
  const site = await startSite({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${SECRET}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: "300",
    OTEL_BSP_SCHEDULE_DELAY: "50",
  });
  cleanups.push(site.remove);
  return site;
}

const outagesOf = (site: Site) =>
  site.output().match(/^.*"msg":"the collector takes no traces".*$/gm) ?? [];

const PATHS = ["/", "/articles", "/about", "/nulle-part", "/api/formulas/vip-mensuel"];

const statusesOf = ({ origin }: Site) =>
  Promise.all(PATHS.map(async (path) => (await fetch(origin + path)).status));
const USUAL = [200, 200, 200, 404, 200];

describe("a collector that does not take traces", () => {
  let collector: Collector;
  beforeEach(async () => {
    collector = await startCollector();
    cleanups.push(collector.close);
  });
  const away = async () => `http://127.0.0.1:${await freePort()}`;

  it.each([
    ["is away", /ECONNREFUSED/, away],
    [
      "refuses",
      /it answers 401/,
      async () => {
        collector.become("refuses");
        return collector.endpoint;
      },
    ],
    [
      "hangs",
      /timed out/,
      async () => {
        collector.become("hangs");
        return collector.endpoint;
      },
    ],
  ])("because it %s changes no answer and is told once", async (_, reason, endpoint) => {
    const site = await start(await endpoint());
    for (let round = 0; round < 4; round++) {
      expect(await statusesOf(site)).toEqual(USUAL);
      await expect.poll(() => outagesOf(site).length, { timeout: 20_000 }).toBe(1);
      // A few more batches fail.
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    expect(outagesOf(site)).toEqual([expect.stringMatching(reason)]);
    expect(outagesOf(site)[0]).not.toMatch(/requestId|trace_id/);
    const begin = performance.now();
    expect(await site.stop()).toBe(0);
    expect(performance.now() - begin).toBeLessThan(10_000);
    expect(site.output()).not.toContain(SECRET);
    expect(site.output()).not.toContain("Unhandled");
  });

  it("while the site stops holds the stop up for three seconds at most", async () => {
    collector.become("hangs");
    const site = await startSite({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_BSP_SCHEDULE_DELAY: "600000",
    });
    cleanups.push(site.remove);
    await statusesOf(site);
    const begin = performance.now();
    expect(await site.stop()).toBe(0);
    const took = performance.now() - begin;
    expect(took).toBeGreaterThan(2_500);
    expect(took).toBeLessThan(10_000);
    expect(site.output()).toContain('"msg":"the last traces are not sent"');
  });

  it("is told again only after it was back", () => {
    vi.useFakeTimers();
    cleanups.push(async () => vi.useRealTimers());
    const lines: string[] = [];
    const watch = watchCollector(createLog("info", { write: (line) => void lines.push(line) }));
    const words = () => lines.map((line): string => JSON.parse(line).msg);
    const gone = "the collector takes no traces";
    const back = "the collector takes traces again";
    watch.answered();
    expect(words()).toEqual([]);
    for (let batch = 0; batch < 100; batch++) {
      watch.failed(new Error("away"));
      // One batch in two is taken.
      vi.advanceTimersByTime(5_000);
      watch.answered();
      vi.advanceTimersByTime(2_000);
    }
    expect(words()).toEqual([gone]);
    vi.advanceTimersByTime(10_000);
    watch.answered();
    watch.failed(new Error("away"));
    expect(words()).toEqual([gone, back, gone]);
  });
});

it("what the SDK says is logged once a minute, without what it adds, and not in an outage", () => {
  vi.useFakeTimers();
  cleanups.push(async () => vi.useRealTimers());
  const lines: string[] = [];
  let isAway = false;
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const tell = tellRarely(log, () => isAway);
  const told = [`Dropped 12 spans`, { headers: SECRET }] as const;
  // The SDK calls it with more than it takes.
  for (let span = 0; span < 1_000; span++) Reflect.apply(tell, undefined, told);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("Dropped 12 spans");
  expect(lines[0]).not.toContain(SECRET);
  vi.advanceTimersByTime(60_000);
  tell("Dropped 1 spans");
  expect(lines).toHaveLength(2);
  vi.advanceTimersByTime(60_000);
  isAway = true;
  tell("Dropped 1 spans");
  expect(lines).toHaveLength(2);
});

it("a start with a wrong address of the collector is refused in words", async () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = `collector:4318/${SECRET}`;
  const { code, stderr } = await runHost({ OTEL_EXPORTER_OTLP_ENDPOINT });
  expect(code).toBe(1);
  expect(stderr).toBe("OTEL_EXPORTER_OTLP_ENDPOINT is not valid: give http://host:4318\n");
});
