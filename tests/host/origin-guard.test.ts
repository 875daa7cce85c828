import { afterEach, describe, expect, it } from "vitest";
import { openHost, send, type TestHost } from "../support/host";

const SITE = "https://cap.example";
const BANK = "/api/sandbox/pay/secret";

let host: TestHost;
afterEach(() => host.server.close());

/** A form that a page of this origin sends to the platform, which has another address. */
const statusOf = async (path: string, origin: string) =>
  (await send(host, path, { method: "POST", headers: { origin } })).status;

describe("a platform behind another site", () => {
  it.each([SITE, `${SITE}/`])("named %s accepts its forms at the bank's page", async (url) => {
    host = await openHost({ env: { SITE_URL: url } });
    expect(await statusOf(BANK, SITE)).toBe(200);
  });

  it("refuses forms of other sites at the bank's page", async () => {
    host = await openHost({ env: { SITE_URL: SITE } });
    const others = [
      "https://mal.example",
      "http://cap.example",
      "https://cap.example:8443",
      "https://cap.example.mal.example",
      "null",
    ];
    for (const origin of others) expect(await statusOf(BANK, origin), origin).toBe(403);
  });

  it("refuses that site's forms at its own pages", async () => {
    host = await openHost({ env: { SITE_URL: SITE } });
    for (const path of ["/login", "/apis", "/account.data"]) {
      expect(await statusOf(path, SITE), path).toBe(403);
    }
  });

  it("that is not configured is refused", async () => {
    host = await openHost();
    expect(await statusOf(BANK, SITE)).toBe(403);
    expect(await statusOf(BANK, `http://127.0.0.1:${host.port}`)).toBe(200);
  });
});
