import { createServer } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { openHost, send, type TestHost } from "../support/host";
import { freePort } from "../support/port";

let host: TestHost;
afterEach(() => host.server.close());

const JSON_TYPE = { "content-type": "application/json" };

const status = async (path: string) => (await send(host, path)).status;

describe("the health of the site", () => {
  it("is live while the external API is down", async () => {
    host = await openHost({ env: { API_URL: `http://127.0.0.1:${await freePort()}/api` } });
    expect(await status("/healthz")).toBe(200);
    expect(await status("/readyz")).toBe(503);
  });

  it.each([
    [200, "application/json", 200],
    [404, "application/problem+json; charset=utf-8", 200],
    [503, "application/json", 503],
    [200, "text/html", 503],
    [404, undefined, 200],
  ])("follows an external API that answers %s with %s", async (answer, type, expected) => {
    const headers = type === undefined ? {} : { "content-type": type };
    const api = createServer((_, response) => response.writeHead(answer, headers).end());
    const port = await freePort();
    await new Promise<void>((resolve) => api.listen(port, resolve));
    host = await openHost({ env: { API_URL: `http://127.0.0.1:${port}/api` } });
    expect(await status("/readyz")).toBe(expected);
    api.close();
  });

  it("asks an external API once for all who want to know", async () => {
    let asked = 0;
    const api = createServer((_, response) => {
      asked++;
      response.writeHead(200, JSON_TYPE).end();
    });
    const port = await freePort();
    await new Promise<void>((resolve) => api.listen(port, resolve));
    host = await openHost({ env: { API_URL: `http://127.0.0.1:${port}/api` } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => status("/readyz")));
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(asked).toBe(1);
    api.close();
  });

  it("logs once why it is not ready", async () => {
    host = await openHost({ env: { API_URL: `http://127.0.0.1:${await freePort()}/api` } });
    await status("/readyz");
    await status("/readyz");
    const told = host.log.filter((line) => line.includes("not ready"));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/"reason":"[^"]*ECONNREFUSED/);
  });

  it("is not ready before its work has begun", async () => {
    host = await openHost({ phase: "starting" });
    expect([await status("/readyz"), await status("/healthz")]).toEqual([503, 200]);
  });

  it.each(["/", "/account", "/api/offers"])(
    "is asked for nothing before that: %s waits",
    async (path) => {
      const pages = () => {
        throw new Error("A page was served");
      };
      host = await openHost({ phase: "starting", pages });
      const { status, headers } = await send(host, path);
      expect([status, headers["retry-after"]]).toEqual([503, "5"]);
    },
  );

  it("is not ready while it stops", async () => {
    host = await openHost({ phase: "stopping" });
    const { status, headers } = await send(host, "/readyz");
    expect([status, headers.connection]).toEqual([503, "close"]);
  });
});
