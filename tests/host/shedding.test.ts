import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import type { HostEnv } from "../../server/host/http/request";
import { shedding } from "../../server/host/shedding";
import { createLog } from "../../server/log";
import { routesWith } from "./list-site";
import { openHost, send, type TestHost } from "../support/host";

/** A host whose requests wait so long for their turn as the test says. */
function hostThatWaits() {
  const log: string[] = [];
  const state = { waitMs: 0, kept: [] as string[], turnedAway: 0 };
  const app = new Hono<HostEnv>();
  app.use(
    shedding({
      log: createLog("info", { write: (line) => void log.push(line) }),
      expectedWaitMs: () => state.waitMs,
      isKept: ({ req }) => state.kept.includes(req.path),
      turnedAway: () => state.turnedAway++,
    }),
  );
  app.all("*", (context) => context.text("answered"));
  const statusOf = async (path: string, init?: RequestInit) =>
    (await app.request(path, init)).status;
  return { app, state, log, statusOf };
}

describe("while requests wait long for their turn", () => {
  it("a new visitor is asked to come back", async () => {
    const { app, state } = hostThatWaits();
    state.waitMs = 500;
    const answer = await app.request("/articles");
    expect(answer.status).toBe(503);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "retry-after": "5",
      "cache-control": "no-store",
    });
    expect(await answer.text()).toContain("Beaucoup de monde sous les étoiles");
    expect(state.turnedAway).toBe(1);
  });

  it.each<[string, string, RequestInit]>([
    ["a post", "/contact/new-ticket", { method: "POST" }],
    ["somebody with a session", "/articles", { headers: { cookie: "cap_session=abc" } }],
    ["somebody with a mailed secret", "/contact/tickets?t=secret", {}],
    ["somebody with a link that confirms", "/withdrawal/confirm?token=secret", {}],
    ["a call", "/api/content/articles", {}],
    ["an image of a page", "/medias/lune.1a2b3c4d.480.avif", {}],
    ["a page that is kept", "/", {}],
  ])("%s is answered", async (_, path, init) => {
    const { state, statusOf } = hostThatWaits();
    Object.assign(state, { waitMs: 60_000, kept: ["/"] });
    expect(await statusOf(path, init)).toBe(200);
  });

  it("new visitors are answered again once the wait is short", async () => {
    const { state, statusOf } = hostThatWaits();
    const answers: number[] = [];
    for (const waitMs of [0, 499, 500, 499, 100, 99, 100, 499, 500]) {
      state.waitMs = waitMs;
      answers.push(await statusOf("/articles"));
    }
    expect(answers).toEqual([200, 200, 503, 503, 503, 200, 200, 200, 503]);
  });

  it("the log says so once", async () => {
    const { state, statusOf, log } = hostThatWaits();
    for (const waitMs of [500, 0, 600, 700]) {
      state.waitMs = waitMs;
      await statusOf("/articles");
    }
    const told = log.map((line): unknown => JSON.parse(line));
    expect(told).toEqual([expect.objectContaining({ level: "warn", waitMs: 500 })]);
  });
});

describe("a host with a crowd of strangers", () => {
  let host: TestHost | undefined;
  afterEach(() => {
    host?.server.closeAllConnections();
    host?.server.close();
  });

  const from = (address: string, path: string, options: Parameters<typeof send>[2] = {}) => {
    const headers = { "x-forwarded-for": address, ...options.headers };
    return send(host ?? { port: 0 }, path, { ...options, headers });
  };

  it("answers all but new visitors, and these again afterwards", async () => {
    const begun: string[] = [];
    host = await openHost({
      routes: routesWith({ list: [], form: false }),
      pages: (request) => {
        const { pathname } = new URL(request.url);
        begun.push(pathname);
        // As a page does that computes: the event loop stands still meanwhile.
        if (pathname === "/crowd") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
        const headers = { "content-type": "text/html", "cache-control": "no-cache" };
        return new Response("page", { headers });
      },
    });
    await from("198.51.100.1", "/list");
    const crowd = Array.from({ length: 40 }, (_, n) => from(`192.0.${n}.1`, "/crowd"));
    await expect.poll(() => begun.filter((path) => path === "/crowd").length > 12).toBe(true);
    const statuses = await Promise.all(
      [
        from("198.51.100.1", "/page"),
        from("198.51.100.1", "/page", { headers: { cookie: "cap_session=abc" } }),
        from("198.51.100.1", "/page", { method: "POST" }),
        from("198.51.100.1", "/list", { headers: { "accept-encoding": "br" } }),
        from("198.51.100.1", "/healthz"),
      ].map(async (answer) => (await answer).status),
    );
    expect(statuses).toEqual([503, 200, 200, 200, 200]);
    await Promise.all(crowd);
    expect((await from("198.51.100.1", "/page")).status).toBe(200);
  });
});
