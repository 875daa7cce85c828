import { describe, expect, it } from "vitest";
import { send } from "../support/host";
import { openList, warm } from "./list-site";

const SESSION = "cap_session=abc";

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
      authorization: "Bearer abc",
    });
    const [{ url, headers } = new Request("http://none")] = requests;
    expect(new URL(url).search).toBe("?sort=a&sort=b");
    expect(new URL(url).host).not.toBe("evil.example");
    expect([...headers]).toEqual([]);
  });

  it("has an entry of its own for each preference of a visitor", async () => {
    const { get, requests } = await openList();
    const versions: Record<string, string>[] = [
      {},
      { "save-data": "on" },
      { cookie: "lng=en" },
      { cookie: "lite=1" },
    ];
    for (const headers of [...versions, ...versions]) await get("/list", headers);
    // Two of them are the lite mode.
    expect(requests).toHaveLength(3);
    await get("/list", { cookie: "x=lite=1; lng=fr", "save-data": "off" });
    expect(requests).toHaveLength(3);
  });

  it("is not kept for who asks for another version in the address", async () => {
    const { get, requests } = await openList();
    for (const query of ["?lite=1", "?lite=0", "?sort=a&lite=1"]) {
      await get(`/list${query}`);
      expect((await get(`/list${query}`)).headers["x-cache"]).toBe("bypass");
    }
    expect(requests).toHaveLength(6);
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
    expect(headers.vary).toBe("Cookie, Accept-Encoding, Save-Data");
    const again = await site.get("/list", { ...accepts, "if-none-match": headers.etag ?? "" });
    expect(again).toMatchObject({ status: 304, headers: { etag: headers.etag } });
    expect(again.headers).not.toHaveProperty("content-length");
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

  it.each([201, 203, 404, 410, 500, 503, 301])("with status %s", async (status) => {
    const { get, requests } = await openList({ status });
    await get();
    expect((await get()).headers["x-cache"]).toBe("bypass");
    expect(requests).toHaveLength(2);
  });

  it.each<Record<string, string>>([
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

  it("under another scheme than the site's", async () => {
    const env = { SITE_URL: "https://cap.example", TRUSTED_PROXIES: "127.0.0.1" };
    const { get, requests } = await openList({ env });
    const forwarded = { host: "cap.example", "x-forwarded-proto": "http" };
    for (let n = 0; n < 2; n++) await get("/list", forwarded);
    expect(requests).toHaveLength(2);
  });
});

it("says only of pages where they came from", async () => {
  const { get } = await openList({ headers: { "content-type": "application/json" } });
  expect((await get("/form")).headers).not.toHaveProperty("x-cache");
});

it("keeps pages of hosts apart without a site's address", async () => {
  const { get } = await openList();
  for (const host of ["a.example", "b.example"]) {
    for (let n = 0; n < 2; n++) {
      expect((await get("/list", { host })).body.toString()).toContain(`http://${host}/list`);
    }
  }
});
