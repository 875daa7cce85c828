import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { precompress } from "../../server/host/precompress";
import { readPublicFiles } from "../../server/host/public-files";
import { openHost, send, type TestHost } from "../support/host";

const folder = mkdtempSync(join(tmpdir(), "cap-celeste-public-"));
const script = "export const answer = 42;\n".repeat(200);
let host: TestHost;

beforeAll(async () => {
  mkdirSync(join(folder, "client/assets"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "hidden");
  writeFileSync(join(folder, "client/.env"), "hidden");
  writeFileSync(join(folder, "client/robots.txt"), "User-agent: *");
  writeFileSync(join(folder, "client/assets/entry-Ab12Cd34.js"), script);
  await precompress(join(folder, "client"));
  host = await openHost({
    files: readPublicFiles(join(folder, "client")),
    pages: () => new Response("the site's own page", { status: 404 }),
  });
});
afterAll(() => {
  host.server.close();
  rmSync(folder, { recursive: true });
});

describe("a public file", () => {
  it("is sent as the build compressed it", async () => {
    const headers = { "accept-encoding": "br, gzip" };
    const answer = await send(host, "/assets/entry-Ab12Cd34.js", { headers });
    expect(answer.headers).toMatchObject({
      "content-encoding": "br",
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "content-length": String(answer.body.byteLength),
      vary: "Accept-Encoding",
    });
    expect(brotliDecompressSync(answer.body).toString()).toBe(script);
  });

  it("is cached an hour when its name has no hash", async () => {
    const { headers, body } = await send(host, "/robots.txt");
    expect(body.toString()).toBe("User-agent: *");
    expect(headers["cache-control"]).toContain("max-age=3600");
  });

  it("is not sent again to a client that has it", async () => {
    const { headers } = await send(host, "/robots.txt");
    const again = await send(host, "/robots.txt", { headers: { "if-none-match": headers.etag } });
    expect([again.status, again.body.byteLength]).toEqual([304, 0]);
  });

  it("answers HEAD with its size only", async () => {
    const { status, headers, body } = await send(host, "/robots.txt", { method: "HEAD" });
    expect([status, headers["content-length"], body.byteLength]).toEqual([200, "13", 0]);
  });

  it.each([
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/.env",
    "/assets/..%5c..%5csecret.txt",
  ])("never lies outside the folder: %s", async (path) => {
    const { status, body } = await send(host, path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.toString()).not.toContain("hidden");
  });

  it("that no longer exists gets a short answer", async () => {
    const { status, body, headers } = await send(host, "/assets/entry-gone1234.js");
    expect([status, body.toString()]).toEqual([404, "Not found"]);
    expect(headers["cache-control"]).toBe("no-store");
  });
});
