import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apiError } from "~/contract/errors";
import { openHost, type TestHost } from "../support/host";

let host: TestHost;
beforeEach(async () => {
  // The page uses what the request says of itself, as all pages do.
  host = await openHost({ pages: (request) => new Response(new Request(request).url) });
});
afterEach(() => host.server.close());

/** Bytes as they are: a client library would mend or refuse them. */
function sendRaw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(host.port, "127.0.0.1");
    let answer = "";
    socket.on("data", (data) => (answer += data.toString()));
    socket.on("error", reject).on("close", () => resolve(answer));
    socket.end(bytes);
  });
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);

const get = (target: string, headers = "Host: cap.example") =>
  sendRaw(`GET ${target} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);

const ask = (method: string, more = "") =>
  sendRaw(`${method} / HTTP/1.1\r\nHost: cap.example\r\n${more}Connection: close\r\n\r\n`);

const wasCalm = () =>
  expect(host.log.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);

const CHUNKED = "POST / HTTP/1.1\r\nHost: cap.example\r\nTransfer-Encoding: chunked\r\n\r\n";
const manyKeys = (count: number) =>
  Array.from({ length: count }, (_, index) => `key${index}=1`).join("&");

/** Headers of each refusal, also of those before the middleware. */
const CLOSED = [
  "connection: close",
  "cache-control: no-store",
  "cross-origin-resource-policy: same-origin",
  "x-content-type-options: nosniff",
  "content-security-policy: default-src 'none'",
];

const LONG = `/${"a".repeat(2048)}`;

describe("a malformed request", () => {
  it.each<[number, string]>([
    [414, LONG],
    [414, `/api${LONG}?x=1`],
    [414, `http://cap.example${LONG}`],
    [400, "http://user:secret@cap.example/"],
    [400, "http://user@cap.example/"],
    [400, "http://[/"],
    [400, "http://cap.example:99999/"],
    [400, "ftp://cap.example/"],
    [400, "*"],
    [400, "/%"],
    [400, "/%5C/%2F/articles"],
    [400, "/%5cmal.example"],
    [400, "/\\article"],
    [400, "/api/x\\y"],
    [400, "/api/x%E2%80%A8y"],
    [400, "/article/%E0%A4%A"],
    ...["%00", "%0A", "%0d", "%1F", "%7f"].flatMap((code): [number, string][] => [
      [400, `/${code}`],
      [400, `/api/${code}`],
      [400, `/api/content/articles/x${code}y?after=z`],
    ]),
  ])("is answered %i for the target %s", async (status, target) => {
    const answer = await get(target);
    expect(statusOf(answer)).toBe(status);
    const form = target.startsWith("/api/") ? '{"message":"' : '<html lang="fr">';
    expect(answer).toContain(form);
    for (const header of CLOSED) expect(answer.toLowerCase()).toContain(header);
    wasCalm();
  });

  it.each(["/api", "/api/x"])("is answered as a call at %s, whatever the host", async (path) => {
    const answer = await get(path, "Host: cap.example:99999");
    expect(statusOf(answer)).toBe(400);
    expect(answer).toContain('{"message":"');
  });

  it.each([
    "Host: cap.example\r\nHost: cap.example",
    "Host: cap.example\r\nhOST: other.example",
    "Host:\r\nHost: cap.example",
  ])("is answered 400 for the lines %j", async (lines) => {
    for (const path of ["/", "/healthz", "/api/x"]) {
      expect(statusOf(await get(path, lines)), path).toBe(400);
    }
    wasCalm();
  });

  it("is not one whose header value is Host", async () => {
    const answer = await get("/", "Host: cap.example\r\nX-Kept: host\r\nVia: Host");
    expect(statusOf(answer)).toBe(200);
  });

  it.each([
    "xn--",
    "",
    "a b",
    "user@cap.example",
    "cap.example/x",
    "cap.example:x",
    "cap.example:",
    "[::",
    "[::01]",
    "127.1",
    "é",
    "%",
    `${"a.".repeat(130)}fr`,
    `${"a.".repeat(3_000)}fr`,
  ])("is answered 400 for the host %j", async (name) => {
    for (const path of ["/", "/healthz", "/api/x"]) {
      expect(statusOf(await get(path, `Host: ${name}`)), path).toBe(400);
    }
    wasCalm();
  });

  it("is answered 400 without a host", async () => {
    expect(statusOf(await get("/", "X-Host: cap.example"))).toBe(400);
    expect(await sendRaw("GET / HTTP/1.0\r\n\r\n")).toContain('<html lang="fr">');
    expect(await sendRaw("GET /api/x HTTP/1.1\r\n\r\n")).toContain('{"message":"');
  });

  it.each(["TRACE", "PROPFIND", "PURGE", "LINK", "CONNECT"])(
    "is answered 405 for %s",
    async (method) => {
      const answer = await ask(method);
      expect(statusOf(answer)).toBe(405);
      expect(answer.toLowerCase()).toContain("allow: get, head, post");
      wasCalm();
    },
  );

  it.each(["PUT", "PATCH", "DELETE"])("is answered 405 for %s of a page", async (method) => {
    const head = `${method} /logout HTTP/1.1\r\nHost: cap.example\r\nContent-Length: 0\r\n`;
    const answer = await sendRaw(`${head}Connection: close\r\n\r\n`);
    expect(statusOf(answer)).toBe(405);
    expect(answer.toLowerCase()).toContain("allow: get, head, post\r\n");
  });

  it("is answered 431 for more than a hundred headers", async () => {
    const headers = (count: number) => `Host: cap.example${"\r\nX: 1".repeat(count - 2)}`;
    expect(statusOf(await get("/", headers(100)))).toBe(200);
    expect(statusOf(await get("/", headers(101)))).toBe(431);
    wasCalm();
  });

  it("is answered 400 for an unknown method", async () => {
    expect(statusOf(await ask("CONQUER"))).toBe(400);
    expect(statusOf(await ask("get"))).toBe(400);
  });

  it.each([
    [400, "FOO / HTTP/1.1\r\nHost: cap.example\r\n\r\n"],
    [400, "no HTTP at all\r\n\r\n"],
    [400, "GET / HTTP/1.1\r\nHost: cap.example\r\nContent-Length: -1\r\n\r\n"],
    [405, "CONNECT cap.example:443 HTTP/1.1\r\nHost: cap.example\r\n\r\n"],
    [413, `${CHUNKED}1;${"a".repeat(20_000)}\r\nx\r\n0\r\n\r\n`],
    [431, `GET /api/x?${manyKeys(2_500)} HTTP/1.1\r\nHost: cap.example\r\n\r\n`],
    [431, `GET / HTTP/1.1\r\nHost: cap.example\r\nCookie: ${"a".repeat(200_000)}\r\n\r\n`],
  ])("is answered %i in the error form by the parser", async (status, bytes) => {
    const answer = await sendRaw(bytes);
    expect(statusOf(answer)).toBe(status);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(apiError.parse(JSON.parse(body)).message).not.toBe("");
    expect(head.toLowerCase()).toContain(`content-length: ${Buffer.byteLength(body)}`);
    expect(head.toLowerCase()).toContain("connection: close");
    wasCalm();
    expect(host.log.filter((line) => line.includes('"request refused"'))).toHaveLength(1);
  });

  it("never writes into an answer that has begun", async () => {
    const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from("begun")) });
    const streaming = await openHost({ pages: () => new Response(body) });
    const socket = connect(streaming.port, "127.0.0.1");
    let answer = "";
    socket.on("data", (data) => {
      answer += data.toString();
      if (answer.includes("begun")) socket.write("no HTTP at all\r\n\r\n");
    });
    socket.on("error", () => undefined).write("GET / HTTP/1.1\r\nHost: cap.example\r\n\r\n");
    await new Promise((resolve) => socket.once("close", resolve));
    streaming.server.close();
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(answer).not.toContain("malformed");
  });

  it("is answered once, whatever follows it", async () => {
    const answer = await sendRaw("GET /api/% HTTP/1.1\r\nHost: cap.example\r\n\r\na=1");
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it("is not one that expects something unknown", async () => {
    expect(statusOf(await get("/", "Host: cap.example\r\nExpect: magic"))).toBe(200);
  });

  it("is answered 403 for a write with empty Origin", async () => {
    const answer = await ask("POST", "Origin: \r\nContent-Length: 0\r\n");
    expect(statusOf(answer)).toBe(403);
    wasCalm();
  });

  it("is logged in one line without query or user", async () => {
    await get("http://user:secret@cap.example/?token=secret");
    await get(`${LONG}?token=secret`);
    const lines = host.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ level, status }) => [level, status])).toEqual([
      ["info", 400],
      ["info", 414],
    ]);
    expect(host.log.join("")).not.toContain("secret");
    expect(String(lines[1]?.path).length).toBeLessThanOrEqual(200);
  });
});

describe("an unusual but valid request", () => {
  it.each([
    ["/", "Host: cap.example:8080"],
    ["/", "Host: 127.0.0.1"],
    ["/", "Host: [::1]:3000"],
    ["/", "Host: CAP.Example"],
    ["http://cap.example/x?y=%0A", "Host: cap.example"],
    [`/${"a".repeat(2047)}`, "Host: cap.example"],
    ["/x%C3%A9%20%2F", "Host: cap.example"],
    ["/?q=%00%0A", "Host: cap.example"],
  ])("reaches the pages as %s with %s", async (target, headers) => {
    expect(statusOf(await get(target, headers))).toBe(200);
  });
});
