import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

const LONG = `/${"a".repeat(2048)}`;

describe("a request that is none", () => {
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
    expect(answer.toLowerCase()).toContain("connection: close");
    wasCalm();
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

  it("is none of a header that is worth Host", async () => {
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
    "é",
    "%",
  ])("is answered 400 for the host %j", async (name) => {
    for (const path of ["/", "/healthz", "/api/x"]) {
      expect(statusOf(await get(path, `Host: ${name}`)), path).toBe(400);
    }
    wasCalm();
  });

  it("is answered 400 without a host", async () => {
    expect(statusOf(await get("/", "X-Host: cap.example"))).toBe(400);
    expect(statusOf(await sendRaw("GET / HTTP/1.0\r\n\r\n"))).toBe(400);
  });

  it.each(["TRACE", "PROPFIND", "PURGE", "LINK", "CONNECT"])(
    "is answered 405 to %s",
    async (method) => {
      const answer = await ask(method);
      expect(statusOf(answer)).toBe(405);
      if (method !== "CONNECT") expect(answer.toLowerCase()).toContain("allow: get, head, post");
      wasCalm();
    },
  );

  it("is answered 400 to a method of nobody", async () => {
    expect(statusOf(await ask("CONQUER"))).toBe(400);
    expect(statusOf(await ask("get"))).toBe(400);
  });

  it("is answered 403 to a write with an empty Origin", async () => {
    const answer = await ask("POST", "Origin: \r\nContent-Length: 0\r\n");
    expect(statusOf(answer)).toBe(403);
    wasCalm();
  });

  it("is told in one line of the log, without its query or user", async () => {
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

describe("an unusual request that is one", () => {
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
