import { afterEach, expect, it } from "vitest";
import { withClientAddress } from "~/api/client-address.server";
import { forwardTo } from "~/api/external-api.server";
import { openHost, send, type TestHost } from "../support/host";
import { onEachDatabase, ORIGIN } from "../support/platform";

const hosts: TestHost[] = [];
afterEach(() => {
  for (const { server } of hosts.splice(0)) server.close();
});

async function started(parts: Parameters<typeof openHost>[0]) {
  const host = await openHost(parts);
  hosts.push(host);
  return host;
}

onEachDatabase("a site whose API is another site's", (open) => {
  /** Two hosts, one before the other; the first is reached through a proxy that tells who comes. */
  async function openBoth(TRUSTED_PROXIES: string) {
    const platform = await open();
    const upstream = await started({
      env: { TRUSTED_PROXIES },
      pages: (request, clientAddress) =>
        platform.fetch(withClientAddress(request, { clientAddress })),
    });
    const base = `http://127.0.0.1:${upstream.port}/api`;
    const site = await started({
      pages: (request, clientAddress) =>
        forwardTo({ base, siteOrigin: ORIGIN }, withClientAddress(request, { clientAddress })),
    });
    return { site, upstream };
  }

  const askReset = async (host: TestHost, headers: Record<string, string>) => {
    const body = [JSON.stringify({ identifier: "ada@exemple.fr" })];
    const json = { "content-type": "application/json", ...headers };
    const post = { method: "POST", headers: json, body };
    return (await send(host, "/api/reset-password/request", post)).status;
  };

  const askUntilLimited = async (host: TestHost, headers: Record<string, string>) => {
    for (let time = 0; time < 50; time++) {
      if ((await askReset(host, headers)) === 429) return;
    }
    throw new Error("Nobody is limited");
  };

  const from = (address: string) => ({ "x-forwarded-for": address });

  it("has its visitors counted by an API that trusts it", async () => {
    const { site } = await openBoth("127.0.0.1");
    await askUntilLimited(site, from("203.0.113.66"));
    expect(await askReset(site, from("203.0.113.9"))).toBe(202);
    expect(await askReset(site, from("203.0.113.66"))).toBe(429);
  });

  it("counts as one visitor when the API distrusts it", async () => {
    const { site } = await openBoth("192.0.2.1");
    await askUntilLimited(site, from("203.0.113.66"));
    expect(await askReset(site, from("203.0.113.9"))).toBe(429);
  });

  it("cannot claim addresses by the platform's own header", async () => {
    const { upstream } = await openBoth("192.0.2.1");
    await askUntilLimited(upstream, { "x-client-address": "203.0.113.66" });
    expect(await askReset(upstream, { "x-client-address": "203.0.113.9" })).toBe(429);
  });
});
