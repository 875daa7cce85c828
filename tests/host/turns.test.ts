import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import errorTexts from "~/locales/fr/error.json";
import { handleInOrder } from "../../server/host/pipelining";
import type { PublicFile } from "../../server/host/public-files";
import { openHost, send, type Answer, type TestHost } from "../support/host";
import { freePort } from "../support/port";

const ended = (socket: Socket) => void socket.destroy();

const AT_ONCE = 12;
const OF_NETWORK = 120;
const IN_HAND = 200;

let host: TestHost;
afterEach(() => {
  host.server.closeAllConnections();
  host.server.close();
});

/** Pages that are answered when the test says so. */
function heldPages() {
  const begun: string[] = [];
  const held: (() => void)[] = [];
  const pages = (request: Request) => {
    begun.push(new URL(request.url).pathname);
    return new Promise<Response>((resolve) => held.push(() => resolve(new Response("page"))));
  };
  return { begun, held, pages };
}

const from = (address: string, path = "/") =>
  send(host, path, { headers: { "x-forwarded-for": address } });

const crowdOf = (size: number, address = "192.0.2.1") =>
  Array.from({ length: size }, () => from(address, "/crowd"));

const logged = (message: string) => host.log.filter((line) => line.includes(`"${message}"`));

describe("one connection", () => {
  /** All at once; what comes back. */
  function pipeline(...paths: string[]) {
    const socket = connect(host.port, "127.0.0.1");
    const received = { text: "" };
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.on("error", () => undefined);
    socket.setEncoding("latin1").on("data", (text: string) => (received.text += text));
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(""));
    return { socket, received, closed };
  }

  it("is answered one request after the other", async () => {
    const { begun, held, pages } = heldPages();
    host = await openHost({ pages });
    const { received } = pipeline("/1", "/healthz", "/2");
    await expect.poll(() => begun).toEqual(["/1"]);
    expect((await send(host, "/healthz")).status).toBe(200);
    expect([begun, received.text]).toEqual([["/1"], ""]);
    held.shift()?.();
    await expect.poll(() => begun).toEqual(["/1", "/2"]);
    held.shift()?.();
    await expect.poll(() => received.text.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  });

  it("begins one request in an iteration of the event loop", async () => {
    let [iterations, isOver] = [0, false];
    const count = () => {
      iterations++;
      if (!isOver) setImmediate(count);
    };
    const begunIn: number[] = [];
    const server = createServer(
      handleInOrder((_, response) => {
        begunIn.push(iterations);
        response.end("ok");
      }, ended),
    );
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    host = { server, port, log: [] };
    count();
    const { received } = pipeline(...Array<string>(16).fill("/"));
    await expect.poll(() => received.text.match(/HTTP\/1\.1 200/g)).toHaveLength(16);
    isOver = true;
    expect(new Set(begunIn).size).toBe(16);
  });

  it("serves 17 pipelined requests", async () => {
    host = await openHost();
    const { received } = pipeline(...Array<string>(17).fill("/"));
    await expect.poll(() => received.text.match(/HTTP\/1\.1 200/g)).toHaveLength(17);
  });

  it("is closed when too many requests are pipelined", async () => {
    const { begun, pages } = heldPages();
    host = await openHost({ pages });
    const { closed } = pipeline(...Array<string>(1_500).fill("/1"));
    await closed;
    expect(begun).toEqual(["/1"]);
  });

  it("is closed when the heads of few waiting requests are large", async () => {
    const { begun, pages } = heldPages();
    host = await openHost({ pages });
    const large = `/2?${"a".repeat(12_000)}`;
    const { closed } = pipeline("/1", large, large, large);
    await closed;
    expect(begun).toEqual(["/1"]);
  });

  it.each([
    ["in chunks", "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"],
    [
      "that many headers hide",
      `${"a: b\r\n".repeat(101)}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`,
    ],
    ["of 40 KB", `Content-Length: 40000\r\n\r\n${"x".repeat(40_000)}`],
  ])("is closed when a body %s is sent ahead", async (_, rest) => {
    const { begun, pages } = heldPages();
    host = await openHost({ pages });
    const { socket, closed } = pipeline("/1");
    socket.write(`POST /2 HTTP/1.1\r\nHost: a\r\n${rest}`);
    await closed;
    expect(begun).toEqual(["/1"]);
  });

  it("drops waiting requests when its client leaves", async () => {
    const { begun, held, pages } = heldPages();
    host = await openHost({ pages });
    const { socket } = pipeline("/1", "/2", "/3");
    await expect.poll(() => begun).toEqual(["/1"]);
    socket.destroy();
    const connections = () =>
      new Promise<number>((resolve) => host.server.getConnections((_, count) => resolve(count)));
    await expect.poll(connections).toBe(0);
    held.shift()?.();
    await expect.poll(() => logged("request")).toHaveLength(1);
    expect((await send(host, "/healthz")).status).toBe(200);
    expect(begun).toEqual(["/1"]);
  });
});

describe("one address", () => {
  it("gets twelve pages at a time, the rest in turn", async () => {
    const { begun, held, pages } = heldPages();
    host = await openHost({ pages });
    const answers = crowdOf(AT_ONCE + 3);
    await expect.poll(() => begun).toHaveLength(AT_ONCE);
    const other = from("192.0.2.2", "/other");
    await expect.poll(() => begun).toHaveLength(AT_ONCE + 1);
    expect(begun.at(-1)).toBe("/other");
    held.shift()?.();
    await expect.poll(() => begun).toHaveLength(AT_ONCE + 2);
    const all = Promise.all([...answers, other]);
    const timer = setInterval(() => held.shift()?.(), 1);
    expect(new Set((await all).map(({ status }) => status))).toEqual(new Set([200]));
    clearInterval(timer);
  });

  it("is a whole network with IPv6", async () => {
    const { begun, pages } = heldPages();
    host = await openHost({ pages });
    const home = (n: number) => from(`2001:db8:0:${n.toString(16)}::1`, "/home").catch(() => null);
    for (let n = 0; n < AT_ONCE + 1; n++) void home(n);
    await expect.poll(() => begun).toHaveLength(AT_ONCE);
    from("2001:db8:0:100::1", "/other").catch(() => null);
    await expect.poll(() => begun).toHaveLength(AT_ONCE + 1);
    expect(begun.at(-1)).toBe("/other");
  });

  it("leaves turns to other networks than its own", async () => {
    const { begun, pages } = heldPages();
    host = await openHost({ pages });
    const full = OF_NETWORK / AT_ONCE;
    for (let n = 0; n <= full; n++) {
      for (const answer of crowdOf(AT_ONCE, `192.0.2.${n}`)) answer.catch(() => null);
    }
    await expect.poll(() => begun).toHaveLength(OF_NETWORK);
    from("198.51.100.1", "/other").catch(() => null);
    await expect.poll(() => begun).toHaveLength(OF_NETWORK + 1);
    expect(begun.at(-1)).toBe("/other");
  });

  it("is refused beyond the number of waiting requests", async () => {
    const { pages } = heldPages();
    host = await openHost({ pages });
    let received = 0;
    host.server.on("request", () => received++);
    const answers: Answer[] = [];
    for (const answer of crowdOf(IN_HAND)) {
      answer.then(
        (one) => answers.push(one),
        () => undefined,
      );
    }
    await expect.poll(() => received).toBe(IN_HAND);
    const refused = await from("192.0.2.1");
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toBe("2");
    expect(refused.body.toString()).toContain('<html lang="fr">');
    expect(refused.body.toString()).toContain(errorTexts.busy.text);
    const call = await from("192.0.2.1", "/api/x");
    expect([call.status, JSON.parse(call.body.toString())]).toEqual([
      429,
      {
        message: "Too many requests at once",
        violations: [{ property: "queue", message: "Too many requests at once", type: "invalid" }],
      },
    ]);
    expect(answers).toEqual([]);
  });

  it("holds up neither health nor files", async () => {
    const { begun, pages } = heldPages();
    const file: PublicFile = {
      body: Buffer.from("x"),
      compressed: {},
      contentType: "text/plain",
      cacheControl: "no-cache",
      etag: '"x"',
    };
    host = await openHost({ pages, files: new Map([["/file.txt", file]]) });
    for (const answer of crowdOf(AT_ONCE + 1)) answer.catch(() => null);
    await expect.poll(() => begun).toHaveLength(AT_ONCE);
    for (const path of ["/healthz", "/file.txt"]) {
      expect((await from("192.0.2.1", path)).status).toBe(200);
    }
  });

  it("frees its place when a response begins", async () => {
    const endless = () =>
      new Response(new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from("a")) }), {
        headers: { "content-type": "text/event-stream" },
      });
    host = await openHost({
      pages: (request) => (request.url.endsWith("/crowd") ? endless() : new Response("page")),
    });
    for (const answer of crowdOf(AT_ONCE)) answer.catch(() => null);
    await expect.poll(() => logged("request")).toHaveLength(AT_ONCE);
    expect((await from("192.0.2.1")).status).toBe(200);
  });

  it("is no longer served once its client has left", async () => {
    const { begun, held, pages } = heldPages();
    host = await openHost({ pages });
    for (const answer of crowdOf(AT_ONCE)) answer.catch(() => null);
    await expect.poll(() => begun).toHaveLength(AT_ONCE);
    const leaving = new AbortController();
    const headers = { "x-forwarded-for": "192.0.2.1" };
    const left = send(host, "/left", { headers, signal: leaving.signal });
    const queued = from("192.0.2.1", "/next");
    await send(host, "/healthz");
    leaving.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(() => logged("request given up")).toHaveLength(1);
    for (const answer of held.splice(0)) answer();
    await expect.poll(() => begun.at(-1)).toBe("/next");
    held.shift()?.();
    expect((await queued).status).toBe(200);
    expect(begun).not.toContain("/left");
    expect(host.log.filter((line) => /"level":"error"|"status":500/.test(line))).toEqual([]);
  });

  it("is no failure when it breaks off because its client has left", async () => {
    let isBegun = false;
    const pages = (request: Request) => {
      isBegun = true;
      const { signal } = request;
      return new Promise<Response>((resolve) =>
        signal.addEventListener("abort", () => resolve(new Response("", { status: 500 }))),
      );
    };
    host = await openHost({ pages });
    const leaving = new AbortController();
    const left = send(host, "/left", { signal: leaving.signal });
    await expect.poll(() => isBegun).toBe(true);
    leaving.abort();
    await expect(left).rejects.toThrow();
    const answered = () => logged("request").filter((line) => line.includes('"/left"'));
    await expect.poll(answered).toHaveLength(1);
    expect(JSON.parse(answered()[0] ?? "")).toMatchObject({ level: "info", status: 408 });
  });
});
