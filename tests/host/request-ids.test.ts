import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod/v4";
import { openLyingApi } from "../pages/lying-api";
import { runAs } from "../../server/current-work";
import { createLog } from "../../server/log";
import { enqueue } from "../../server/platform/jobs/queue";
import { runDueJobs } from "../../server/platform/jobs/runner";
import { openHost, send } from "../support/host";
import { onEachDatabase } from "../support/platform";
import { startSite, type Site } from "../support/site";

const line = z.looseObject({
  level: z.string(),
  msg: z.string(),
  requestId: z.string().optional(),
});
const linesOf = (text: string) =>
  text
    .split("\n")
    .filter((one) => one.startsWith("{"))
    .map((one) => line.parse(JSON.parse(one)));

const api = await openLyingApi();
let site: Site;
beforeAll(async () => {
  site = await startSite({ API_URL: api.url, LOG_LEVEL: "info" });
});
afterAll(async () => {
  await site.remove();
  await api.close();
});

const ID = "0123456789abcdef";
/** Addresses have not moved. */
beforeEach(() => api.tell({ call: "getRedirection", how: 404 }));

/** What the site wrote while it answered. */
async function loggedBy(path: string, headers: Record<string, string> = {}) {
  const before = site.output().length;
  const answer = await fetch(site.origin + path, { redirect: "manual", headers });
  await answer.text();
  await expect.poll(() => site.output().slice(before)).toContain('"msg":"request"');
  return { answer, lines: linesOf(site.output().slice(before)) };
}

it("gives all lines of a page one request id", async () => {
  api.tell({ call: "getArticle", how: 500 });
  const { answer, lines } = await loggedBy("/article/lune", { "x-request-id": ID });
  expect(lines.map(({ msg }) => msg)).toEqual([
    "Error fetching article",
    "page refused",
    "request",
  ]);
  expect(lines.map(({ requestId }) => requestId)).toEqual([ID, ID, ID]);
  expect(answer.headers.get("x-request-id")).toBe(ID);
});

it("passes the request id on to the external API", async () => {
  await loggedBy("/article/lune", { "x-request-id": ID });
  expect(api.headers.get("getArticle")?.get("x-request-id")).toBe(ID);
  await loggedBy("/api/content/articles/lune", { "x-request-id": `${ID}-2` });
  expect(api.headers.get("getArticle")?.get("x-request-id")).toBe(`${ID}-2`);
});

it("makes a request id where none is well formed", async () => {
  const { lines } = await loggedBy("/api/content/articles/lune", { "x-request-id": "../etc" });
  const [{ requestId } = {}] = lines;
  expect(requestId).toMatch(/^[\da-f-]{36}$/);
  expect(api.headers.get("getArticle")?.get("x-request-id")).toBe(requestId);
});

it("takes no request id from an untrusted peer", async () => {
  const host = await openHost({ env: { TRUSTED_PROXIES: "192.0.2.1" } });
  const { headers } = await send(host, "/article/x", { headers: { "x-request-id": ID } });
  host.server.close();
  expect(headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
});

it("names the call of an outage and not its address", async () => {
  api.tell({ call: "getUser", how: "html" });
  const { answer, lines } = await loggedBy("/api/users/un-secret");
  expect(answer.status).toBe(502);
  const [broken] = lines;
  expect(broken).toMatchObject({ level: "error", call: "GET /users/{uid}" });
  expect(JSON.stringify(broken)).not.toContain("un-secret");
});

it("keeps apart lines of requests at the same time", async () => {
  const written: string[] = [];
  const log = createLog("info", { write: (text) => void written.push(text) });
  const answer = async (requestId: string) => {
    await Promise.resolve();
    log.info({}, requestId);
  };
  await Promise.all(["a", "b"].map((id) => runAs({ requestId: id }, () => answer(id))));
  const lines = linesOf(written.join(""));
  expect(lines.map(({ requestId, msg }) => requestId === msg)).toEqual([true, true]);
});

onEachDatabase("a job", (open) => {
  it("has its uid and kind in all lines of its work", async () => {
    const written: string[] = [];
    const log = createLog("info", { write: (text) => void written.push(text) });
    const { database: db, clock } = await open({});
    const kind = "test.working";
    await enqueue(db, { kind, payload: {}, runAt: clock.now() });
    const { uid: job } = await db
      .selectFrom("job")
      .select("uid")
      .where("kind", "=", kind)
      .executeTakeFirstOrThrow();
    const work = async () => {
      await db.selectFrom("job").select("uid").execute();
      log.info({}, "working");
    };
    await runDueJobs({ db, clock, log, lanes: [{ [kind]: work }] });
    expect(linesOf(written.join(""))).toMatchObject([{ msg: "working", job, kind }]);
  });
});
