import { afterEach, describe, expect, it } from "vitest";
import { openHost, send, type TestHost } from "../support/host";

let host: TestHost;
afterEach(() => host.server.close());

describe("the headers of an answer", () => {
  it("protect a page without headers of its own", async () => {
    host = await openHost();
    const { headers } = await send(host, "/");
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "strict-origin-when-cross-origin",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers["content-security-policy"]).toContain("default-src 'self'");
    expect(headers["content-security-policy"]).not.toContain("unsafe-inline");
    expect(headers).not.toHaveProperty("x-powered-by");
  });

  it("keep a page's own policies", async () => {
    const own = {
      "content-security-policy": "script-src 'nonce-x'",
      "referrer-policy": "same-origin",
    };
    host = await openHost({ pages: () => new Response("page", { headers: own }) });
    expect((await send(host, "/")).headers).toMatchObject(own);
  });

  it("allow forms that lead to the bank", async () => {
    host = await openHost({ env: { API_URL: "https://api.example/api" } });
    const { headers } = await send(host, "/");
    expect(headers["content-security-policy"]).toContain("form-action 'self' https://api.example;");
  });

  it("require https only on an https site", async () => {
    host = await openHost();
    expect((await send(host, "/")).headers).not.toHaveProperty("strict-transport-security");
    const proxied = await send(host, "/", { headers: { "x-forwarded-proto": "https" } });
    expect(proxied.headers["strict-transport-security"]).toMatch(/^max-age=\d{8}$/);
  });

  it.each([
    ["includeSubDomains", /^max-age=\d{8}; includeSubDomains$/],
    ["preload", /^max-age=\d{8}; includeSubDomains; preload$/],
  ])("extend transport security with HSTS=%s", async (HSTS, value) => {
    host = await openHost({ env: { HSTS, SITE_URL: "https://cap.example" } });
    expect((await send(host, "/")).headers["strict-transport-security"]).toMatch(value);
  });

  it("allow other sites to embed images only", async () => {
    const file = { cacheControl: "public", etag: '"x"', body: new Uint8Array(), compressed: {} };
    const files = new Map([
      ["/og.png", { ...file, contentType: "image/png" }],
      ["/a.css", { ...file, contentType: "text/css; charset=utf-8" }],
    ]);
    host = await openHost({ files });
    const policyOf = async (path: string) =>
      (await send(host, path)).headers["cross-origin-resource-policy"];
    expect([await policyOf("/og.png"), await policyOf("/a.css")]).toEqual([
      "cross-origin",
      "same-origin",
    ]);
  });

  it("put no secret into the log, in paths either", async () => {
    host = await openHost();
    await send(host, "/api/sandbox/pay/Zm9vYmFy?t=hidden&token=hidden");
    expect(host.log.join("")).toContain('"path":"/api/sandbox/pay/…"');
    expect(host.log.join("")).not.toMatch(/Zm9vYmFy|hidden/);
  });

  it("carry no request id where nothing is logged", async () => {
    host = await openHost();
    const { headers } = await send(host, "/healthz");
    expect(headers["x-request-id"]).toBeUndefined();
  });

  it("carry the request id of the log line", async () => {
    host = await openHost();
    const { headers } = await send(host, "/article/x?t=hidden", {
      headers: { "x-request-id": "from-proxy" },
    });
    expect(headers["x-request-id"]).toBe("from-proxy");
    expect(host.log.join("")).toMatch(
      /"requestId":"from-proxy","method":"GET","path":"\/article\/x","status":200/,
    );
    expect(host.log.join("")).not.toContain("hidden");
  });

  it("are present when the page fails", async () => {
    host = await openHost({ pages: () => Promise.reject(new Error("broken")) });
    const { status, headers, body } = await send(host, "/");
    expect(status).toBe(500);
    expect(headers).toHaveProperty("content-security-policy");
    expect(body.toString()).not.toContain("broken");
    expect(host.log.join("")).toContain("broken");
  });
});
