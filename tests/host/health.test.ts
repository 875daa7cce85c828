import { createServer } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { openHost, send, type TestHost } from "../support/host";
import { freePort } from "../support/port";

let host: TestHost;
afterEach(() => host.server.close());

const status = async (path: string) => (await send(host, path)).status;

describe("the health of the site", () => {
  it("is live whatever else is not", async () => {
    host = await openHost({ env: { API_URL: `http://127.0.0.1:${await freePort()}/api` } });
    expect(await status("/healthz")).toBe(200);
    expect(await status("/readyz")).toBe(503);
  });

  it.each([
    [200, 200],
    [404, 200],
    [503, 503],
  ])("follows an external API that answers %s", async (answer, expected) => {
    const api = createServer((_, response) => response.writeHead(answer).end());
    const port = await freePort();
    await new Promise<void>((resolve) => api.listen(port, resolve));
    host = await openHost({ env: { API_URL: `http://127.0.0.1:${port}/api` } });
    expect(await status("/readyz")).toBe(expected);
    api.close();
  });

  it("says once why it is not ready", async () => {
    host = await openHost({ env: { API_URL: `http://127.0.0.1:${await freePort()}/api` } });
    await status("/readyz");
    await status("/readyz");
    const told = host.log.filter((line) => line.includes("not ready"));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/"reason":"[^"]*ECONNREFUSED/);
  });

  it("is not ready while it stops", async () => {
    host = await openHost({ isDraining: () => true });
    const { status, headers } = await send(host, "/readyz");
    expect([status, headers.connection]).toEqual([503, "close"]);
  });
});
