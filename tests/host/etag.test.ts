import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { openHost, send, type TestHost } from "../support/host";

let host: TestHost;
afterEach(() => host.server.close());

const text = "<p>Une page assez longue pour valoir la peine.</p>\n".repeat(100);
const page = (headers: Record<string, string> = {}, body = text) =>
  new Response(body, {
    headers: { "content-type": "text/html", "cache-control": "private, no-cache", ...headers },
  });

describe("a page that a browser may keep", () => {
  it("is not sent again to a browser that has it", async () => {
    host = await openHost({ pages: () => page() });
    const { headers } = await send(host, "/");
    const known = { "if-none-match": `"other", ${headers.etag}`, "accept-encoding": "br" };
    const again = await send(host, "/", { headers: known });
    expect([again.status, again.body.byteLength]).toEqual([304, 0]);
    expect(again.headers).toMatchObject({
      etag: headers.etag,
      "cache-control": "private, no-cache",
      vary: "Accept-Encoding",
    });
  });

  it.each(["application/atom+xml", "application/xml", "text/plain"])(
    "may also be a feed, a sitemap or a list for crawlers: %s",
    async (type) => {
      const own = { etag: 'W/"own"', "cache-control": "public, max-age=60" };
      const headers = { ...own, "content-type": `${type}; charset=utf-8` };
      // The framework answers HEAD without a body.
      host = await openHost({
        pages: ({ method }) => new Response(method === "HEAD" ? null : text, { headers }),
      });
      for (const method of ["GET", "HEAD"]) {
        const { etag } = (await send(host, "/", { method })).headers;
        const again = await send(host, "/", { method, headers: { "if-none-match": etag } });
        const other = await send(host, "/", { method, headers: { "if-none-match": '"other"' } });
        expect([etag, again.status, again.body.byteLength, other.status]).toEqual([
          own.etag,
          304,
          0,
          200,
        ]);
        expect(again.headers).toMatchObject(own);
      }
    },
  );

  it("has the same tag in each encoding, and another with other content", async () => {
    const bodies = [text, text, `${text}!`];
    host = await openHost({ pages: () => page({}, bodies.shift()) });
    const plain = await send(host, "/");
    const gzip = await send(host, "/", { headers: { "accept-encoding": "gzip" } });
    const other = await send(host, "/", { headers: { "if-none-match": plain.headers.etag } });
    expect(gunzipSync(gzip.body).toString()).toBe(text);
    expect(gzip.headers.etag).toBe(plain.headers.etag);
    expect([other.status, other.body.toString()]).toEqual([200, `${text}!`]);
  });

  it("has no tag while it is still being produced", async () => {
    let finish = () => {};
    const slow = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("first"));
        finish = () => {
          controller.enqueue(new TextEncoder().encode(" second"));
          controller.close();
        };
      },
    });
    const headers = { "content-type": "text/html", "cache-control": "no-cache" };
    host = await openHost({ pages: () => new Response(slow, { headers }) });
    const answer = await fetch(`http://127.0.0.1:${host.port}/`);
    finish();
    expect([await answer.text(), answer.headers.get("etag")]).toEqual(["first second", null]);
  });
});

describe("an answer without a tag", () => {
  it.each([
    ["is personal", () => page({ "cache-control": "private, no-store" })],
    ["is a failure", () => new Response(text, { status: 404, headers: page().headers })],
    ["is a picture", () => page({ "content-type": "image/png" })],
  ])("%s", async (_, pages) => {
    host = await openHost({ pages });
    const answer = await send(host, "/", { headers: { "if-none-match": "*" } });
    expect([answer.body.toString(), answer.headers.etag]).toEqual([text, undefined]);
  });

  it("answers a post", async () => {
    host = await openHost({ pages: () => page() });
    const { headers } = await send(host, "/", {
      method: "POST",
      headers: { "if-none-match": "*" },
    });
    expect(headers).not.toHaveProperty("etag");
  });
});
