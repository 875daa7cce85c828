import { afterEach, beforeEach, expect, it } from "vitest";
import { openLoopback, type Loopback } from "../app/loopback";
import { openHost, send } from "../support/host";
import { freePort } from "../support/port";
import { runHost, startSite, type Site } from "../support/site";

/** Asked by nothing but these tests. */
const FORMULA = "/api/formulas/asked-here";
const sites: Site[] = [];
let relay: Loopback;
/** Where the relay passes requests on to; null: it is an API that knows nothing. */
let target: string | null = null;
/** The paths that the relay passed on. Those of other calls stand among them: each site asks at its start. */
let passed: string[] = [];

beforeEach(async () => {
  [target, passed] = [null, []];
  relay = await openLoopback((request) => {
    const { pathname, search } = new URL(request.url);
    passed.push(pathname);
    return target === null
      ? Response.json({ message: "Not found" }, { status: 404 })
      : fetch(target + pathname + search, { headers: request.headers });
  });
});
afterEach(async () => {
  for (const site of sites.splice(0)) await site.remove();
  await relay.close();
});

async function started(API_URL: string) {
  const site = await startSite({ API_URL, LOG_LEVEL: "info" });
  sites.push(site);
  return site;
}

const timesAsked = () => passed.filter((path) => path === FORMULA).length;

const LOOP = "leads back to this site";

it.each(["/api", ""])("a site whose API_URL is its own address%s is refused", async (path) => {
  const port = String(await freePort());
  const API_URL = `http://127.0.0.1:${port}${path}`;
  const { code, stderr } = await runHost({ PORT: port, API_URL, SESSION_SECRET: "s".repeat(32) });
  expect([code, stderr.trim().split("\n")]).toEqual([1, [expect.stringContaining(LOOP)]]);
});

it("a call that comes round to its site ends there", async () => {
  const site = await started(`${relay.origin}/api`);
  target = site.origin;
  const answer = await fetch(`${site.origin}${FORMULA}`);
  expect([answer.status, timesAsked()]).toEqual([508, 1]);
  expect(site.output()).toMatch(/"level":"error".*"msg":"API_URL leads back/);
});

it("a page whose calls come round says that it cannot be read", async () => {
  const site = await started(`${relay.origin}/api`);
  target = site.origin;
  const before = passed.length;
  const answer = await fetch(`${site.origin}/article/lune`);
  expect(answer.status).toBe(502);
  expect(passed.length - before).toBeLessThan(10);
  await expect.poll(async () => (await fetch(`${site.origin}/readyz`)).status).toBe(503);
});

it("a chain of two sites ends, and its second is refused", async () => {
  const first = await started(`${relay.origin}/api`);
  const second = await started(`${first.origin}/api`);
  target = second.origin;
  const answer = await fetch(`${first.origin}${FORMULA}`);
  expect([answer.status, timesAsked()]).toEqual([508, 1]);
  await second.stop();
  const { port } = new URL(second.origin);
  const start = { PORT: port, API_URL: `${first.origin}/api`, DATA_DIR: second.dataDir };
  const { code, stderr } = await runHost(start);
  expect([code, stderr]).toEqual([1, expect.stringContaining(LOOP)]);
});

/** A mark is twelve random bytes in base64url. */
const marks = (count: number) => Array.from({ length: count }, () => "m".repeat(16)).join(", ");

it.each([
  ["the marks of seven sites", 200, marks(7)],
  ["the marks of eight sites", 508, marks(8)],
  ["one long word", 508, "m".repeat(1_000)],
])("a request that says it passed %s gets %i", async (_, expected, passed) => {
  const host = await openHost({ env: { API_URL: `${relay.origin}/api` } });
  const headers = { "x-passed-sites": passed };
  expect((await send(host, "/api/formulas/asked-here", { headers })).status).toBe(expected);
  host.server.close();
});
