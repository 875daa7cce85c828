import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { negotiateEncoding } from "../../server/host/http/encoding";
import { sharedJsonAnswer } from "../../server/whole-body";
import { openHost, send, type TestHost } from "../support/host";

let host: TestHost;
afterEach(() => host.server.close());

const page = "<p>Une page assez longue pour valoir la peine.</p>\n".repeat(100);
const html = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Response(body, { headers: { "content-type": "text/html", ...headers } });
const accept = (encoding: string) => ({ headers: { "accept-encoding": encoding } });

describe("a page", () => {
  it("is sent in the encoding that the client accepts", async () => {
    host = await openHost({
      pages: () => html(page, { etag: '"1"', "content-length": String(page.length) }),
    });
    const br = await send(host, "/", accept("gzip, br"));
    const gzip = await send(host, "/", accept("gzip"));
    const plain = await send(host, "/");
    expect(br.headers).toMatchObject({
      "content-encoding": "br",
      vary: "Accept-Encoding",
      etag: 'W/"1"',
    });
    expect(brotliDecompressSync(br.body).toString()).toBe(page);
    expect(gunzipSync(gzip.body).toString()).toBe(page);
    expect(plain.body.toString()).toBe(page);
    expect(plain.headers).toMatchObject({ vary: "Accept-Encoding", etag: '"1"' });
  });

  it("is gzipped when it is small, and by brotli where only that is accepted", async () => {
    const small = page.slice(0, 3_000);
    host = await openHost({ pages: () => html(small) });
    const both = await send(host, "/", accept("gzip, br"));
    const br = await send(host, "/", accept("br"));
    expect(both.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(both.body).toString()).toBe(small);
    expect(br.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(br.body).toString()).toBe(small);
  });

  it("stays as it is when it is short, an image or encoded", async () => {
    const pages = ["<p>", page, page].map((body, index) =>
      html(body, [{}, { "content-type": "image/png" }, { "content-encoding": "zstd" }][index]),
    );
    host = await openHost({ pages: () => pages.shift() ?? html("") });
    const encodings = [];
    for (let count = 0; count < 3; count++) {
      encodings.push((await send(host, "/", accept("br"))).headers["content-encoding"]);
    }
    expect(encodings).toEqual([undefined, undefined, "zstd"]);
  });

  it("that many share is whole in each encoding", async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(page));
    host = await openHost({ pages: () => sharedJsonAnswer(bytes) });
    for (let count = 0; count < 2; count++) {
      const br = await send(host, "/api/x", accept("br"));
      const gzip = await send(host, "/api/x", accept("gzip"));
      const plain = await send(host, "/api/x");
      expect(JSON.parse(brotliDecompressSync(br.body).toString())).toBe(page);
      expect(JSON.parse(gunzipSync(gzip.body).toString())).toBe(page);
      expect(JSON.parse(plain.body.toString())).toBe(page);
      expect(plain.headers["content-type"]).toBe("application/json");
    }
  });

  it("is sent in parts before it is complete", async () => {
    let finish = () => {};
    const end = new Promise<void>((resolve) => (finish = resolve));
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(Buffer.from(page));
        await end;
        controller.enqueue(Buffer.from("the end"));
        controller.close();
      },
    });
    host = await openHost({ pages: () => html(body) });
    const response = await fetch(`http://127.0.0.1:${host.port}/`);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toContain("Une page");
    finish();
    let rest = "";
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read())
      rest += read.value;
    expect(rest.endsWith("the end")).toBe(true);
  });
});

describe("the choice of an encoding", () => {
  it.each([
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["*", "br"],
    ["identity", null],
    ["", null],
  ])("for %j is %s", (accepted, expected) => {
    expect(negotiateEncoding(accepted)).toBe(expected);
  });
});
