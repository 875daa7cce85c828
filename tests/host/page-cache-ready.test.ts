import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openHost, send } from "../support/host";
import { openList, TEXT, warm, type Settings } from "./list-site";

const textOf = ({ body }: { body: Buffer }) => body.toString();
const linesOf = ({ log }: { log: string[] }) =>
  log
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ msg }) => msg === "request");

describe("a kept page", () => {
  it.each(["cap_session", "__Host-cap_session"])("is not for who has a cookie %s", async (name) => {
    const site = await openList();
    await warm(site, { "accept-encoding": "br" });
    for (const encoding of ["br", "identity"]) {
      const headers = { cookie: `lng=fr; ${name}=abc`, "accept-encoding": encoding };
      const answer = await site.get("/list", headers);
      expect(answer.headers["x-cache"]).toBe("bypass");
    }
    expect(site.requests).toHaveLength(3);
  });

  it.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const)("is the plain page in %s", async (encoding, decode) => {
    const site = await openList();
    const plain = textOf(await site.get());
    expect(plain).toContain(TEXT);
    await warm(site, { "accept-encoding": encoding });
    const { headers, body } = await site.get("/list", { "accept-encoding": encoding });
    expect(headers["content-encoding"]).toBe(encoding);
    expect(decode(body).toString()).toBe(plain);
  });

  it.each(["br", "identity"])("has its own length in %s", async (encoding) => {
    const site = await openList({ headers: { "content-length": "3" } });
    await warm(site, { "accept-encoding": "br" });
    const { headers, body } = await site.get("/list", { "accept-encoding": encoding });
    expect(headers["content-length"]).toBe(String(body.byteLength));
    expect(body.byteLength).toBeGreaterThan(3);
  });

  it("is compressed once it is asked for again, not before", async () => {
    const site = await openList();
    const headers = { "accept-encoding": "br" };
    await site.get("/list?sort=once", headers);
    // Pages are compressed one after the other: this one would come after the first.
    await warm(site, headers);
    const again = await site.get("/list?sort=once", headers);
    expect(again.headers).toMatchObject({ "x-cache": "hit", "content-encoding": "br" });
    expect(again.headers.etag).toMatch(/^W\//);
  });

  it("is one page whatever the order of its parameters", async () => {
    const { get, requests } = await openList();
    await get("/list?sort=a&author=b");
    expect((await get("/list?author=b&sort=a")).headers["x-cache"]).toBe("hit");
    expect(requests).toHaveLength(1);
  });

  it("is that of the site at which the visitor's proxy was asked", async () => {
    const site = await openList({ env: { TRUSTED_PROXIES: "127.0.0.1" } });
    const forwarded = {
      "x-forwarded-proto": "https",
      "x-forwarded-host": "cap.example",
      "x-forwarded-for": "203.0.113.7",
    };
    for (const headers of [forwarded, { ...forwarded, "x-forwarded-proto": "http" }]) {
      const page = `${headers["x-forwarded-proto"]}://cap.example/list`;
      expect(textOf(await site.get("/list", headers))).toContain(page);
      const kept = await site.get("/list", headers);
      expect(kept.headers["x-cache"]).toBe("hit");
      expect(textOf(kept)).toContain(page);
      expect("strict-transport-security" in kept.headers).toBe(page.startsWith("https:"));
    }
    const last = linesOf(site.host).at(-1);
    expect(last).toMatchObject({ path: "/list", status: 200, client: "203.0.113.7" });
  });

  it("is logged with the address and the identifier of its request", async () => {
    const { host, get } = await openList();
    await get();
    const { headers } = await get("/list", { "x-request-id": "0123456789abcdef" });
    expect(headers["x-request-id"]).toBe("0123456789abcdef");
    const line = { client: "127.0.0.1", requestId: "0123456789abcdef", method: "GET" };
    expect(linesOf(host).at(-1)).toMatchObject(line);
  });

  it.each([
    ["a body of known length", { "content-length": "3" }, "close"],
    ["a body of unknown length", { "transfer-encoding": "chunked" }, "close"],
    ["an empty body", { "content-length": "0" }, "keep-alive"],
    ["no body", {}, "keep-alive"],
  ])("leaves the connection open or not: %s", async (_, headers, connection) => {
    const { host, get } = await openList();
    await get();
    const body = connection === "close" ? ["abc"] : [];
    const answer = await send(host, "/list", { headers, body });
    expect(answer.headers).toMatchObject({ connection, "x-cache": "hit" });
  });

  it("closes the connection while the host stops", async () => {
    const { get } = await openList({ phase: "stopping" });
    await get();
    const { headers } = await get();
    expect(headers).toMatchObject({ connection: "close", "x-cache": "hit" });
  });

  it("is found under a whole URL too", async () => {
    const { get, requests } = await openList();
    const { port } = (await openList()).host;
    for (let n = 0; n < 2; n++) await get(`http://127.0.0.1:${port}/list`);
    expect((await get("/list")).headers["x-cache"]).toBe("miss");
    expect(requests.map(({ url }) => new URL(url).port === String(port))).toEqual([true, false]);
  });
});

describe("a page that is older than ten seconds", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it.each(["/list", "/list?utm_source=x"])("is sent at %s, and made anew", async (path) => {
    const { get, requests } = await openList();
    await get();
    vi.setSystemTime(11_000);
    const old = await get(path);
    expect(old.headers["x-cache"]).toBe("hit");
    expect(textOf(old)).toMatch(/\/list 1$/);
    await expect.poll(async () => textOf(await get())).toMatch(/\/list 2$/);
    expect(requests).toHaveLength(2);
  });

  it.each([500, 502, 503])("is sent while making it fails with %s", async (status) => {
    const { get, requests, reply } = await openList();
    await get();
    vi.setSystemTime(11_000);
    reply.status = status;
    for (let tries = 2; tries < 5; tries++) {
      expect(await get()).toMatchObject({ status: 200, headers: { "x-cache": "hit" } });
      await expect.poll(() => requests.length).toBe(tries);
    }
    vi.setSystemTime(11_000 + 5 * 60_000);
    expect((await get()).status).toBe(status);
  });

  it.each([
    { status: 404, headers: {} },
    { status: 302, headers: { location: "/" } },
    { status: 200, headers: { "cache-control": "private, no-store" } },
    { status: 200, headers: { "set-cookie": "a=b" } },
  ])("is not sent any more once the answer is another one: %o", async (answer) => {
    const { get, reply } = await openList();
    await get();
    vi.setSystemTime(11_000);
    Object.assign(reply, answer);
    await get();
    await expect.poll(async () => (await get()).headers["x-cache"]).not.toBe("hit");
    expect((await get()).status).toBe(answer.status);
  });
});

describe("an answer that is not kept", () => {
  it.each<Settings>([
    { status: 502, headers: { "cache-control": "no-store" } },
    { status: 404 },
    { headers: { "cache-control": "private, no-store" } },
  ])("is for all who waited for it: %o", async (answer) => {
    const { host, get, requests, hold } = await openList(answer);
    const release = hold();
    let arrived = 0;
    host.server.on("request", () => arrived++);
    const waiting = Array.from({ length: 8 }, () => get());
    await expect.poll(() => arrived).toBe(8);
    // Requests of one address start in turn: when this one has, all eight have.
    const last = get("/form");
    await expect.poll(() => requests.length).toBe(2);
    release();
    const answers = await Promise.all(waiting);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([answer.status ?? 200]));
    expect(new Set(answers.map(textOf)).size).toBe(1);
    await last;
    expect(requests).toHaveLength(2);
    await get();
    expect(requests).toHaveLength(3);
  });

  it("with a cookie is made for each visitor", async () => {
    const { get, requests } = await openList({ headers: { "set-cookie": "cap_session=x" } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => get()));
    const texts = answers.map(textOf);
    expect(new Set(texts).size).toBe(20);
    expect(requests.length).toBeGreaterThan(20);
  });
});

describe("liveness", () => {
  it.each(["/healthz", "/healthz?a=b", "http://127.0.0.1/healthz", "http://a.example/healthz?a"])(
    "is answered at %s",
    async (target) => {
      const host = await openHost({ phase: "starting" });
      const answer = await send(host, target);
      expect(answer).toMatchObject({ status: 200, headers: { "cache-control": "no-store" } });
      expect(textOf(answer)).toBe("ok");
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      expect(answer.headers).not.toHaveProperty("x-request-id");
      expect(answer.headers).not.toHaveProperty("strict-transport-security");
      const head = await send(host, target, { method: "HEAD" });
      expect(head).toMatchObject({ status: 200, headers: { "content-length": "2" } });
      host.server.close();
    },
  );

  it("has the transport security of a site under https", async () => {
    const host = await openHost({ env: { SITE_URL: "https://cap.example" } });
    const { headers } = await send(host, "/healthz");
    expect(headers["strict-transport-security"]).toMatch(/^max-age=\d/);
    host.server.close();
  });

  it("closes its connection while the host stops", async () => {
    const host = await openHost({ phase: "stopping" });
    expect((await send(host, "/healthz")).headers.connection).toBe("close");
    host.server.close();
  });
});
