import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { createApi } from "~/api/client";
import { withClientAddress } from "~/api/client-address.server";
import { ProcessError, ResponseValidationError } from "~/api/errors";
import { externalTransport, forwardTo } from "~/api/external-api.server";
import { overHttp } from "~/api/over-http";
import { ANSWER_LIMIT_BYTES, MAX_REDIRECTS } from "~/contract/limits";
import { openLoopback, type Loopback } from "./loopback";
import { failureOf, json } from "./scripted";

type Answer = (request: Request) => Response | Promise<Response>;

const SITE = "https://cap.example";
const servers: Loopback[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** An API with a scripted answer. It records its requests. */
async function apiThat(answer: Answer) {
  const asked: Request[] = [];
  const server = await openLoopback((request) => {
    asked.push(request);
    return answer(request);
  });
  servers.push(server);
  return {
    asked,
    origin: server.origin,
    external: { base: `${server.origin}/api`, siteOrigin: SITE },
  };
}

type Api = Awaited<ReturnType<typeof apiThat>>;

const service = () => json(200, { payload: { name: "Cap", url: "https://bank.example/" } });

const read = (api: Api) =>
  createApi({
    carrier: overHttp(api.external.base, externalTransport(api.external)),
    bearer: () => "jeton",
    onNextToken: () => {},
    clientAddress: "203.0.113.9",
    clientAgent: "Firefox/150",
  }).call("getBankingService", {});

const forward = (api: Api, init: RequestInit = {}, path = "/api/formulas/x", timeoutMs = 5_000) =>
  forwardTo(
    api.external,
    withClientAddress(new Request(`${SITE}${path}`, init), { clientAddress: "203.0.113.9" }),
    timeoutMs,
  );

const large = JSON.stringify("a".repeat(ANSWER_LIMIT_BYTES));
const JSON_HEADERS = { "content-type": "application/json" };

describe("an external API", () => {
  it("receives the visitor's address and the site's", async () => {
    const api = await apiThat(service);
    await read(api);
    const headers = { "x-forwarded-for": "198.51.100.66", "user-agent": "Firefox/150" };
    await forward(api, { headers });
    for (const { headers } of api.asked) {
      expect(headers.get("x-forwarded-for")).toBe("203.0.113.9");
      expect(headers.get("x-forwarded-proto")).toBe("https");
      expect(headers.get("x-forwarded-host")).toBe("cap.example");
      expect(headers.get("user-agent")).toBe("Firefox/150");
      expect([headers.get("x-client-address"), headers.get("x-client-agent")]).toEqual([
        null,
        null,
      ]);
    }
    expect(api.asked).toHaveLength(2);
  });

  it("sees nothing of this site's cookies", async () => {
    const api = await apiThat(service);
    const headers = { cookie: "cap_session=secret", origin: SITE, referer: `${SITE}/account` };
    await forward(api, { headers, method: "POST", body: "{}" });
    const [asked] = api.asked;
    for (const name of Object.keys(headers)) expect(asked?.headers.get(name)).toBeNull();
    expect(asked?.headers.get("accept-encoding")).not.toContain("zstd");
  });
});

describe("a forwarded answer", () => {
  it("has the headers of the contract, and no others", async () => {
    const kept = { "next-token": "nouveau", "retry-after": "60", "cache-control": "no-store" };
    const dropped = {
      "set-cookie": "cap_session=evil; Path=/",
      "content-security-policy": "script-src *",
      "x-frame-options": "ALLOWALL",
      "strict-transport-security": "max-age=1",
      "access-control-allow-origin": "*",
      refresh: "0; url=https://evil.example",
    };
    const api = await apiThat(() => json(429, { message: "Non" }, { ...kept, ...dropped }));
    const { status, headers } = await forward(api);
    expect(status).toBe(429);
    expect(Object.fromEntries(headers)).toEqual({ ...kept, "content-type": "application/json" });
  });

  it("may be larger for an account's export", async () => {
    const api = await apiThat(() => new Response(large, { headers: JSON_HEADERS }));
    const answer = await forward(api, {}, "/api/users/ada/export");
    expect((await answer.text()).length).toBe(large.length);
  });

  it("without a body stays without a body", async () => {
    const api = await apiThat(() => new Response(null, { status: 204 }));
    const answer = await forward(api, { method: "PUT", body: "{}" });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
  });

  it.each<[string, Answer]>([
    [
      "no JSON",
      () => new Response("<script>1</script>", { headers: { "content-type": "text/html" } }),
    ],
    ["of no type", () => new Response(new Blob(["{}"]))],
    ["too large", () => new Response(large, { headers: JSON_HEADERS })],
    [
      "too large once it is unpacked",
      () =>
        new Response(gzipSync(large), { headers: { ...JSON_HEADERS, "content-encoding": "gzip" } }),
    ],
    ["a redirect to elsewhere", () => Response.redirect("http://127.0.0.1:9/steal", 307)],
    ["redirects without end", (request) => Response.redirect(request.url, 307)],
  ])("is a 502 when it is %s", async (_, answer) => {
    const forwarded = await forward(await apiThat(answer));
    expect(forwarded.status).toBe(502);
    expect(await forwarded.json()).toEqual({ message: "The API's answer cannot be passed on" });
  });

  it("that never arrives is a 502", async () => {
    const silent = await apiThat(() => new Promise<Response>(() => {}));
    expect((await forward(silent, {}, undefined, 50)).status).toBe(502);
    const stream = () => new ReadableStream({ start: (s) => s.enqueue(new Uint8Array([32])) });
    const endless = await apiThat(() => new Response(stream(), { headers: JSON_HEADERS }));
    expect((await forward(endless, {}, undefined, 50)).status).toBe(502);
  });

  it("of an unreachable API is a 502", async () => {
    const api = await apiThat(service);
    await servers.splice(0)[0]?.close();
    expect(await (await forward(api)).json()).toEqual({ message: "The API does not answer" });
  });

  it("is abandoned once the visitor has left", async () => {
    const api = await apiThat(() => new Promise<Response>(() => {}));
    const leaving = new AbortController();
    const forwarded = forward(api, { signal: leaving.signal });
    leaving.abort(new Error("left"));
    await expect(forwarded).rejects.toThrow();
  });
});

describe("a redirect of the API", () => {
  const moved: (status: number) => Answer = (status) => (request) => {
    const target = new URL("/api/ailleurs", request.url);
    if (new URL(request.url).pathname === target.pathname) return service();
    return Response.redirect(target, status);
  };

  it("is followed on its own origin, with the token", async () => {
    const api = await apiThat(moved(307));
    expect((await read(api)).payload.name).toBe("Cap");
    const headers = { authorization: "Bearer jeton" };
    expect((await forward(api, { headers })).status).toBe(200);
    const tokens = api.asked.map(({ headers }) => headers.get("authorization"));
    expect(tokens).toEqual(Array(4).fill("Bearer jeton"));
  });

  it.each([
    [308, "POST"],
    [303, "GET"],
    [302, "GET"],
  ])("by %i is followed with %s", async (status, method) => {
    const api = await apiThat(moved(status));
    await forward(api, { method: "POST", headers: JSON_HEADERS, body: '{"a":1}' });
    const [, last] = api.asked;
    const type = method === "POST" ? "application/json" : null;
    expect([last?.method, last?.headers.get("content-type")]).toEqual([method, type]);
  });

  it("never takes a token to another origin", async () => {
    const elsewhere = await apiThat(service);
    const api = await apiThat(() => Response.redirect(`${elsewhere.origin}/api/x`, 307));
    expect(await failureOf(read(api))).toBeInstanceOf(ResponseValidationError);
    const headers = { authorization: "Bearer jeton" };
    expect((await forward(api, { headers })).status).toBe(502);
    expect(elsewhere.asked).toEqual([]);
  });

  it("is followed a limited number of times", async () => {
    const api = await apiThat((request) => Response.redirect(request.url, 302));
    await forward(api);
    expect(api.asked).toHaveLength(MAX_REDIRECTS + 1);
  });
});

describe("a call of the site", () => {
  it("fails with an answer that is too large", async () => {
    const api = await apiThat(() => new Response(large, { headers: JSON_HEADERS }));
    const failure = await failureOf(read(api));
    expect(failure).toBeInstanceOf(ResponseValidationError);
    expect(failure.message).toMatch(/^GET \/banking-service: .* larger than \d+ bytes$/);
  });

  it("fails when the API is unreachable", async () => {
    const api = await apiThat(service);
    await servers.splice(0)[0]?.close();
    expect(await failureOf(read(api))).toBeInstanceOf(ProcessError);
  });
});

describe("a page of the API's sandbox bank", () => {
  const headers = { "content-type": "text/html; charset=utf-8", "set-cookie": "a=b" };

  it("is shown with a policy of this site", async () => {
    const policy = { ...headers, "content-security-policy": "script-src *" };
    const api = await apiThat(() => new Response("<h1>Banque</h1>", { headers: policy }));
    const page = await forward(api, {}, "/api/sandbox/pay/secret");
    expect([page.status, await page.text()]).toEqual([200, "<h1>Banque</h1>"]);
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; (?!.*script)/,
    );
    expect(page.headers.get("set-cookie")).toBeNull();
  });

  it("sends the browser back to the site", async () => {
    const location = `${SITE}/callback/payment?success=1`;
    const api = await apiThat(() => new Response(null, { status: 303, headers: { location } }));
    const page = await forward(api, { method: "POST", body: "a=b" }, "/api/sandbox/pay/secret");
    expect([page.status, page.headers.get("location")]).toEqual([303, location]);
  });
});
