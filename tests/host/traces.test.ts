import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startCollector, type Collector, type ReceivedSpan } from "../support/collector";
import { modulesOf, TELLING_MODULES } from "../support/loaded-modules";
import { postgresPlace } from "../support/platform";
import { startSite, type Site } from "../support/site";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

let collector: Collector;
beforeAll(async () => {
  collector = await startCollector();
});
afterAll(() => collector.close());

const variables = () => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  OTEL_BSP_SCHEDULE_DELAY: "50",
});

async function start(more: Record<string, string> = {}): Promise<Site> {
  const site = await startSite({ ...variables(), ...more });
  cleanups.push(site.remove);
  return site;
}

/** Asks for a page, and gives the trace that its line in the log names. */
async function traceOf(site: Site, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(site.origin + path, { headers });
  await answer.text();
  const id = answer.headers.get("x-request-id") ?? "none";
  const line = () =>
    site
      .output()
      .split("\n")
      .find((one) => one.includes(id) && one.includes('"msg":"request"'));
  await expect.poll(line).toBeDefined();
  const { trace_id: traceId }: { trace_id: string } = JSON.parse(line() ?? "");
  // The span of the request ends last.
  await expect.poll(() => spansOf(traceId).some(isOfRequest)).toBe(true);
  return { id: traceId, spans: spansOf(traceId) };
}

const spansOf = (traceId: string) => collector.spans().filter((span) => span.traceId === traceId);

const SERVER = 2;
const CLIENT = 3;
const isOfRequest = ({ kind }: ReceivedSpan) => kind === SERVER;

/** Each span by its name, with the names of its parents. */
function pathsIn(spans: ReceivedSpan[]): string[] {
  const pathOf = ({ name, parentSpanId }: ReceivedSpan): string => {
    const parent = spans.find(({ spanId }) => spanId === parentSpanId);
    return parent ? `${pathOf(parent)} > ${name}` : name;
  };
  return spans.map(pathOf);
}

/** As a proxy sends it: a trace that it has begun, and keeps. */
const GIVEN = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const traceparent = `00-${GIVEN}-${PARENT}-01`;

describe("the traces of a site", () => {
  it("hold a page's request, its calls and their statements", async () => {
    const site = await start();
    const { spans } = await traceOf(site, "/articles?q=amour");
    expect(pathsIn(spans)).toEqual(
      expect.arrayContaining([
        "GET /articles",
        "GET /articles > GET /content/articles",
        "GET /articles > GET /content/articles > SELECT article",
        "GET /articles > GET /content/tags > SELECT tag",
      ]),
    );
    expect(spans.find(isOfRequest)).toMatchObject({
      attributes: {
        "http.request.method": "GET",
        "http.route": "/articles",
        "http.response.status_code": 200,
      },
      resource: { "service.name": "cap-celeste" },
    });
    const statement = spans.find(({ name }) => name === "SELECT tag");
    expect(statement?.attributes).toMatchObject({
      "db.system.name": "sqlite",
      "db.query.text": expect.stringMatching(/^select .* from "tag" .* limit \?$/),
    });
    for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
      expect(endTimeUnixNano > startTimeUnixNano).toBe(true);
    }
  });

  it("hold pages that are kept, and refusals", async () => {
    const site = await start();
    await traceOf(site, "/about");
    const kept = await traceOf(site, "/about");
    expect(pathsIn(kept.spans)).toEqual(["GET /about"]);
    const refused = await traceOf(site, "/nulle-part");
    expect(refused.spans.find(isOfRequest)).toMatchObject({
      name: "GET other",
      attributes: { "http.response.status_code": 404 },
      status: { code: 0 },
    });
  });

  it("join the trace of a trusted proxy", async () => {
    const site = await start();
    const { id, spans } = await traceOf(site, "/articles", { traceparent });
    expect(id).toBe(GIVEN);
    expect(spans.find(isOfRequest)?.parentSpanId).toBe(PARENT);
  });

  it("begin anew for a stranger who names one", async () => {
    const site = await start({ TRUSTED_PROXIES: "192.0.2.1" });
    const forged = "5".repeat(32);
    const { id, spans } = await traceOf(site, "/articles", {
      traceparent: traceparent.replace(GIVEN, forged),
    });
    expect(id).not.toBe(forged);
    expect(spans.find(isOfRequest)?.parentSpanId).toBeUndefined();
  });

  it("hold each run of a job, with what it asks the database", async () => {
    const site = await start({ OTEL_SERVICE_NAME: "emploi" });
    const body = JSON.stringify({
      title: "Question",
      message: "Bonjour",
      email: "ada@exemple.fr",
      name: "Ada",
    });
    const headers = { "content-type": "application/json" };
    await fetch(`${site.origin}/api/support/contact/tickets`, { method: "POST", headers, body });
    const jobs = () =>
      collector
        .spans()
        .filter(
          ({ name, resource }) => /^job /.test(name) && resource["service.name"] === "emploi",
        );
    await expect.poll(() => jobs().map(({ name }) => name)).toContain("job mail.send");
    const job = jobs().find(({ name }) => name === "job mail.send");
    expect(job?.parentSpanId).toBeUndefined();
    expect(job?.attributes).toMatchObject({ "cap.job.kind": "mail.send", "cap.job.attempt": 1 });
    expect(pathsIn(spansOf(job?.traceId ?? ""))).toContain("job mail.send > UPDATE job");
  });

  it("are named and headed by the standard variables", async () => {
    const site = await start({
      OTEL_SERVICE_NAME: "cap-essai",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=essai,service.version=7",
      OTEL_EXPORTER_OTLP_HEADERS: "api-key=geheim",
    });
    const { spans } = await traceOf(site, "/articles");
    expect(spans[0]?.resource).toMatchObject({
      "service.name": "cap-essai",
      "deployment.environment": "essai",
      "service.version": "7",
    });
    expect(collector.headers().at(-1)).toMatchObject({ "api-key": "geheim" });
  });

  it("are left out by the sampler, but not those that a proxy keeps", async () => {
    const site = await start({
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0",
      OTEL_SERVICE_NAME: "selten",
    });
    await (await fetch(`${site.origin}/articles`)).text();
    const kept = `00-${"9".repeat(32)}-${PARENT}-01`;
    await traceOf(site, "/about", { traceparent: kept });
    const own = collector.spans().filter(({ resource }) => resource["service.name"] === "selten");
    expect(new Set(own.map(({ traceId }) => traceId))).toEqual(new Set(["9".repeat(32)]));
  });

  it("are sent when the site stops", async () => {
    const site = await start({ OTEL_BSP_SCHEDULE_DELAY: "600000", OTEL_SERVICE_NAME: "zuletzt" });
    await (await fetch(`${site.origin}/about`)).text();
    const sent = () =>
      collector.spans().filter(({ resource }) => resource["service.name"] === "zuletzt");
    expect(sent()).toEqual([]);
    expect(await site.stop()).toBe(0);
    expect(sent().map(({ name }) => name)).toContain("GET /about");
  });

  it("come from each worker, also when they stop", async () => {
    const site = await start({ WEB_CONCURRENCY: "2", OTEL_SERVICE_NAME: "arbeiter" });
    const instances = () =>
      new Set(
        collector
          .spans()
          .filter(({ resource }) => resource["service.name"] === "arbeiter")
          .map(({ resource }) => resource["service.instance.id"]),
      );
    const ask = () => fetch(`${site.origin}/healthz`, { headers: { connection: "close" } });
    await expect
      .poll(async () => {
        await Promise.all(Array.from({ length: 10 }, ask));
        return instances().size;
      })
      .toBe(2);
    expect(await site.stop()).toBe(0);
  });
});

describe.skipIf(!process.env.TEST_DATABASE_URL)("the traces of a site with PostgreSQL", () => {
  it("hold the statements of each call, without values", async () => {
    const { options, remove } = await postgresPlace("seeded");
    cleanups.push(remove);
    const site = await start({ DATABASE_URL: options.databaseUrl });
    const { spans } = await traceOf(site, "/articles?q=amour");
    expect(pathsIn(spans)).toContain("GET /articles > GET /content/tags > SELECT tag");
    expect(spans.find(({ name }) => name === "SELECT tag")?.attributes).toMatchObject({
      "db.system.name": "postgresql",
      "db.query.text": expect.stringMatching(/^select .* from "tag" .* limit \$1$/),
    });
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain("amour");
  });
});

describe("the traces of a site with an external API", () => {
  it("go on in the API", async () => {
    const api = await start({ OTEL_SERVICE_NAME: "api" });
    const site = await start({ OTEL_SERVICE_NAME: "site", API_URL: `${api.origin}/api` });
    const { id, spans } = await traceOf(site, "/articles");
    const names = () =>
      pathsIn(spansOf(id)).map(
        (path, at) => `${spansOf(id)[at]?.resource["service.name"]}: ${path}`,
      );
    const call = "GET /articles > GET /content/articles";
    await expect.poll(names).toContain(`api: ${call} > GET /api/content/articles > SELECT article`);
    expect(names()).toContain(`site: ${call}`);
    expect(spans.find(({ name }) => name === "GET /content/articles")?.kind).toBe(CLIENT);
  });

  it("are not those of a browser that calls by itself", async () => {
    const api = await start({ OTEL_SERVICE_NAME: "api" });
    const site = await start({
      OTEL_SERVICE_NAME: "site",
      API_URL: `${api.origin}/api`,
      TRUSTED_PROXIES: "192.0.2.1",
    });
    const forged = "7".repeat(32);
    const path = "/api/formulas/vip-mensuel";
    const { id } = await traceOf(site, path, { traceparent: traceparent.replace(GIVEN, forged) });
    await expect
      .poll(() => pathsIn(spansOf(id)))
      .toContain(
        "GET /api/formulas/{uid} > GET /formulas/{uid} > GET /api/formulas/{uid} > SELECT formula",
      );
    expect(spansOf(forged)).toEqual([]);
  });
});

describe("a site without a collector", () => {
  const OF_SDK = /node_modules\/@opentelemetry\//;

  it("loads nothing of OpenTelemetry", async () => {
    const site = await startSite({ ...TELLING_MODULES, OTEL_SERVICE_NAME: "cap" });
    cleanups.push(site.remove);
    await (await fetch(`${site.origin}/articles`)).text();
    expect(modulesOf(site).some((line) => line.includes("build/server/index.js"))).toBe(true);
    expect(modulesOf(site).filter((line) => OF_SDK.test(line))).toEqual([]);
    expect(site.output()).not.toContain("trace_id");
  });

  it.each([
    ["disabled", { OTEL_SDK_DISABLED: "true" }],
    ["told to send none", { OTEL_TRACES_EXPORTER: "none" }],
  ])("loads nothing either when it is %s", async (_, off) => {
    const site = await start({ ...TELLING_MODULES, ...off });
    expect(modulesOf(site).filter((line) => OF_SDK.test(line))).toEqual([]);
  });

  it("loads it with the variable, or this claims nothing", async () => {
    const site = await start(TELLING_MODULES);
    expect(modulesOf(site).some((line) => OF_SDK.test(line))).toBe(true);
  });
});
