import type { ServerBuild } from "@remix-run/node";
import { afterEach, describe, expect, it } from "vitest";
import { KeptPage } from "../../server/host/page-cache/kept-page";
import { PageCache } from "../../server/host/page-cache/page-cache";
import { declarePage } from "~/session/page-handle";
import { openHost, send, type TestHost } from "../support/host";

const SESSION = "cap_session=abc";
const TEXT = "Une page pour tout le monde. ".repeat(100);
const HTML = { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" };

const hosts: TestHost[] = [];
afterEach(() => {
  for (const { server } of hosts.splice(0)) server.close();
});

type Settings = { env?: Record<string, string>; headers?: Record<string, string>; status?: number };

/** A host with one shared page, `/list?sort=…`, whose answers name the requests that made them. */
async function openList({ env = {}, headers = {}, status = 200 }: Settings = {}) {
  const requests: Request[] = [];
  let revision = "1";
  let gate = Promise.resolve();
  const host = await openHost({
    env,
    routes: routesWith({ list: ["sort"], form: false }),
    revision: () => revision,
    pages: async (request) => {
      requests.push(request);
      await gate;
      const body = `${TEXT}${request.url} ${requests.length}`;
      return new Response(body, { status, headers: { ...HTML, ...headers } });
    },
  });
  hosts.push(host);
  return {
    host,
    requests,
    revise: (to: string) => void (revision = to),
    hold() {
      let release = () => {};
      gate = new Promise((resolve) => (release = resolve));
      return () => release();
    },
    get: (path = "/list", more: Record<string, string> = {}) => send(host, path, { headers: more }),
  };
}

function routesWith(shared: Record<string, false | string[]>): ServerBuild["routes"] {
  const entries = Object.entries(shared).map(([path, parameters]) => {
    const module = { default: () => null, handle: declarePage({ shared: parameters }) };
    return [path, { id: path, parentId: "root", path, module }] as const;
  });
  return Object.fromEntries(entries);
}

/** Waits until the page is compressed, as the second request asks for it. */
async function warm(site: Awaited<ReturnType<typeof openList>>, headers: Record<string, string>) {
  await site.get("/list", headers);
  await expect
    .poll(async () => (await site.get("/list", headers)).headers.etag)
    .toMatch(/^"[\w-]{22}-(?:br|gzip)"$/);
}

describe("a page that is the same for everybody", () => {
  it("is made once and then sent from memory", async () => {
    const { get, requests } = await openList();
    expect((await get()).headers["x-cache"]).toBe("miss");
    const second = await get();
    expect(second.headers["x-cache"]).toBe("hit");
    expect(second.body.toString()).toContain("/list 1");
    expect(requests).toHaveLength(1);
  });

  it("is made once for two hundred who ask at the same time", async () => {
    const { get, requests, hold } = await openList();
    const release = hold();
    const answers = Array.from({ length: 200 }, () => get());
    await expect.poll(() => requests.length).toBe(1);
    release();
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    expect(requests).toHaveLength(1);
  });

  it("is made from its address alone", async () => {
    const { get, requests } = await openList({ env: { TRUSTED_PROXIES: "10.0.0.1" } });
    await get("/list?sort=a&utm=x&sort=b", {
      cookie: "lng=en; other=1",
      "accept-language": "en",
      "user-agent": "poison",
      "x-forwarded-host": "evil.example",
      "save-data": "on",
      authorization: "Bearer abc",
    });
    const [{ url, headers } = new Request("http://none")] = requests;
    expect(new URL(url).search).toBe("?sort=a&sort=b");
    expect(new URL(url).host).not.toBe("evil.example");
    expect([...headers]).toEqual([]);
  });

  it("has one entry whatever else stands in its query", async () => {
    const { get, requests } = await openList();
    for (const query of ["", "?utm_source=a", "?x=1&y=2", "?fbclid=b"]) await get(`/list${query}`);
    expect(requests).toHaveLength(1);
    for (const query of ["?sort=a", "?x=1&sort=a", "?sort=a&utm=1"]) await get(`/list${query}`);
    expect(requests).toHaveLength(2);
  });

  it.each(["br", "gzip"])("has a strong tag in %s, and is not sent again", async (encoding) => {
    const site = await openList();
    const accepts = { "accept-encoding": encoding };
    await warm(site, accepts);
    const { headers, body } = await site.get("/list", accepts);
    expect(headers["content-encoding"]).toBe(encoding);
    expect(headers["content-length"]).toBe(String(body.byteLength));
    expect(headers.vary).toBe("Cookie, Accept-Encoding");
    const again = await site.get("/list", { ...accepts, "if-none-match": headers.etag ?? "" });
    expect(again).toMatchObject({ status: 304, headers: { etag: headers.etag } });
    expect(again.body.byteLength).toBe(0);
    const plain = await site.get("/list", { "if-none-match": headers.etag ?? "" });
    expect(plain.status).toBe(200);
  });

  it("has the headers of its first answer in each later one", async () => {
    const site = await openList({ headers: { "referrer-policy": "same-origin" } });
    const of = (headers: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(headers).filter(
          ([name]) => !/^(?:date|etag|x-(?:cache|request-id)|content-)/.test(name),
        ),
      );
    const first = await site.get();
    const second = await site.get();
    expect(first.headers["x-cache"]).toBe("miss");
    expect(of(second.headers)).toEqual(of(first.headers));
    expect(second.headers).toMatchObject({
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "content-security-policy": first.headers["content-security-policy"],
    });
  });

  it("answers HEAD like GET, without its body", async () => {
    const { host, get } = await openList();
    await get();
    const { headers } = await get();
    const head = await send(host, "/list", { method: "HEAD" });
    expect(head.headers).toMatchObject({
      "content-length": headers["content-length"],
      etag: headers.etag,
      "x-cache": "hit",
    });
    expect(head.body.byteLength).toBe(0);
  });

  it("is made anew as soon as the content has changed", async () => {
    const { get, requests, revise } = await openList();
    await get();
    revise("2");
    expect((await get()).headers["x-cache"]).toBe("miss");
    expect(requests).toHaveLength(2);
  });

  it("is old already when the content changed while it was made", async () => {
    const { get, requests, revise, hold } = await openList();
    const release = hold();
    const first = get();
    await expect.poll(() => requests.length).toBe(1);
    revise("2");
    release();
    await first;
    expect((await get()).body.toString()).toContain("/list 2");
  });

  it("is logged like any other request", async () => {
    const { host, get } = await openList();
    await get();
    await get("/list?t1=secret");
    const line = host.log.filter((text) => text.includes('"request"')).at(-1) ?? "";
    expect(JSON.parse(line)).toMatchObject({ method: "GET", path: "/list", status: 200 });
    expect(line).not.toContain("secret");
  });

  it("closes the connection of a request with a body", async () => {
    const { host, get } = await openList();
    await get();
    const answer = await send(host, "/list", { headers: { "content-length": 3 }, body: ["abc"] });
    expect(answer.headers).toMatchObject({ connection: "close", "x-cache": "hit" });
  });
});

describe("no page is kept", () => {
  it.each(["cap_session", "__Host-cap_session"])("for who has a cookie %s", async (name) => {
    const { get, requests } = await openList();
    for (const cookie of [`${name}=abc`, `a=b;${name}=`, `a=b; ${name}=x; ${name}=y`]) {
      expect((await get("/list", { cookie })).headers["x-cache"]).toBe("bypass");
    }
    expect(requests).toHaveLength(3);
    expect(requests[0]?.headers.get("cookie")).toContain(name);
  });

  it("from an answer to who has a session", async () => {
    const { get, requests } = await openList();
    await get("/list", { cookie: SESSION });
    expect((await get()).headers["x-cache"]).toBe("miss");
    expect(requests).toHaveLength(2);
  });

  it.each([404, 410, 500, 503, 301])("with status %s", async (status) => {
    const { get, requests } = await openList({ status });
    await get();
    expect((await get()).headers["x-cache"]).toBe("bypass");
    expect(requests).toHaveLength(2);
  });

  it.each<Record<string, string>>([
    { "set-cookie": "cap_session=x" },
    { "cache-control": "private, no-store" },
    { "cache-control": "private, no-cache" },
    { "content-type": "text/x-script" },
  ])("with the header %o", async (headers) => {
    const { get, requests } = await openList({ headers });
    await get();
    await get();
    expect(requests).toHaveLength(2);
  });

  it.each(["/form", "/list?t=abcdefghijklmnop", `/list?sort=${"a".repeat(300)}`, "/list/"])(
    "for %s",
    async (path) => {
      const { get, requests } = await openList();
      await get(path);
      await get(path);
      expect(requests).toHaveLength(2);
      expect(requests[1]?.url).toContain(path);
    },
  );

  it("for posts", async () => {
    const { host, get, requests } = await openList();
    await get();
    await send(host, "/list", { method: "POST" });
    expect(requests.map(({ method }) => method)).toEqual(["GET", "POST"]);
  });

  it("under another origin than the site's", async () => {
    const { get, requests } = await openList({ env: { SITE_URL: "https://cap.example" } });
    await get("/list", { host: "evil.example" });
    await get("/list", { host: "evil.example" });
    expect(requests).toHaveLength(2);
    for (let n = 0; n < 2; n++) await get("/list", { host: "cap.example" });
    expect(requests).toHaveLength(3);
  });
});

it("keeps pages of different hosts apart where the site's own is not known", async () => {
  const { get } = await openList();
  for (const host of ["a.example", "b.example"]) {
    for (let n = 0; n < 2; n++) {
      expect((await get("/list", { host })).body.toString()).toContain(`http://${host}/list`);
    }
  }
});

describe("the cache", () => {
  const pageOf = (text: string) =>
    new KeptPage(new TextEncoder().encode(text), [["content-type", "text/html"]]);

  it("shows an old page for five minutes while it is made anew", async () => {
    let now = 0;
    const cache = new PageCache({ revision: () => "", now: () => now });
    await cache.make("a", async () => pageOf("one"));
    now = 9_999;
    expect(cache.find("a")?.isFresh).toBe(true);
    now = 10_001;
    expect(cache.find("a")?.isFresh).toBe(false);
    now = 310_000;
    expect(cache.find("a")?.isFresh).toBe(false);
    now = 310_001;
    expect(cache.find("a")).toBeNull();
  });

  it("keeps the old page when a new one cannot be made", async () => {
    let now = 0;
    const cache = new PageCache({ revision: () => "", now: () => now });
    const first = await cache.make("a", async () => pageOf("one"));
    now = 20_000;
    await expect(cache.make("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expect(cache.find("a")?.page).toBe(first);
  });

  it("holds no more bytes than allowed", async () => {
    const cache = new PageCache({ revision: () => "", maxBytes: 240_000 });
    for (let n = 0; n < 100; n++) await cache.make(`a${n}`, async () => pageOf("x".repeat(6_000)));
    const held = Array.from({ length: 100 }, (_, n) => cache.find(`a${n}`)).filter(Boolean);
    expect(held.length).toBeGreaterThan(10);
    expect(held.length).toBeLessThan(40);
    await cache.make("large", async () => pageOf("x".repeat(20_000)));
    expect(cache.find("large")).toBeNull();
  });

  it("keeps the compressed bytes of a page that has not changed", async () => {
    const cache = new PageCache({ revision: () => "" });
    const first = await cache.make("a", async () => pageOf(TEXT));
    expect(await cache.make("a", async () => pageOf(TEXT))).toBe(first);
    expect(await cache.make("a", async () => pageOf(`${TEXT}!`))).not.toBe(first);
  });
});
