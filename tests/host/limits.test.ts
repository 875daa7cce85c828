import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openHost, send, type TestHost } from "../support/host";

let host: TestHost;
afterEach(() => host.server.close());

const MIB = 1024 * 1024;
const echo = async (request: Request) =>
  new Response(`${(await request.arrayBuffer()).byteLength}`);

describe("a body", () => {
  it("arrives whole up to 1 MiB", async () => {
    host = await openHost({ pages: echo });
    const { body } = await send(host, "/", { method: "POST", body: [Buffer.alloc(MIB)] });
    expect(body.toString()).toBe(String(MIB));
  });

  it("arrives whole when its length is declared", async () => {
    host = await openHost({ pages: echo });
    const options = {
      method: "POST",
      headers: { "content-length": MIB },
      body: [Buffer.alloc(MIB)],
    };
    expect((await send(host, "/", options)).body.toString()).toBe(String(MIB));
  });

  it("above the limit is refused before the page runs", async () => {
    host = await openHost({ pages: () => Promise.reject(new Error("seen")) });
    const headers = { "content-length": MIB + 1 };
    const announced = await send(host, "/", {
      method: "POST",
      headers,
      body: [Buffer.alloc(MIB + 1)],
    });
    const chunked = await send(host, "/", { method: "POST", body: [Buffer.alloc(MIB), "x"] });
    expect([announced.status, chunked.status]).toEqual([413, 413]);
    expect(announced.body.toString()).toContain('<html lang="fr">');
  });

  it("is refused in the error form of the API", async () => {
    host = await openHost();
    const { status, body } = await send(host, "/api/x", {
      method: "POST",
      body: [Buffer.alloc(2 * MIB)],
    });
    expect(status).toBe(413);
    expect(JSON.parse(body.toString())).toEqual({ message: expect.any(String) as string });
  });
});

describe("large bodies of one address", () => {
  const HEAD = `POST /x HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${MIB}\r\n\r\n`;

  /** Sends all but the last byte, and leaves the connection open. */
  async function sendMost() {
    const socket = connect(host.port, "127.0.0.1").on("error", () => undefined);
    let received = "";
    socket.setEncoding("latin1").on("data", (text: string) => (received += text));
    socket.write(HEAD);
    await new Promise((resolve) => socket.write("a".repeat(MIB - 1), resolve));
    return { socket, received: () => received };
  }

  it("hold at most eight megabytes, and leave room when they end", async () => {
    host = await openHost({ pages: echo });
    const all = await Promise.all(Array.from({ length: 40 }, sendMost));
    const refused = () => all.filter(({ received }) => received().includes(" 429 ")).length;
    await expect.poll(refused).toBeGreaterThanOrEqual(32);
    const refusal = all.map(({ received }) => received()).find((text) => text !== "") ?? "";
    expect(refusal.toLowerCase()).toContain("retry-after: 30");
    const form = await send(host, "/x", { method: "POST", body: ["a".repeat(15_000)] });
    expect(form.body.toString()).toBe("15000");
    for (const { socket } of all) socket.destroy();
    const whole = async () =>
      (await send(host, "/x", { method: "POST", body: [Buffer.alloc(MIB)] })).status;
    await expect.poll(whole).toBe(200);
  });

  it("that are answered leave room for the next", async () => {
    host = await openHost({ pages: echo });
    for (let count = 0; count < 20; count++) {
      const { status } = await send(host, "/x", { method: "POST", body: [Buffer.alloc(MIB)] });
      expect(status).toBe(200);
    }
  });
});

describe("half-sent bodies of one address", () => {
  it("are fifty at most, and leave room when they end", async () => {
    host = await openHost({ pages: echo });
    const HEAD = "POST /x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n";
    const all = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const socket = connect(host.port, "127.0.0.1").on("error", () => undefined);
        let received = "";
        socket.setEncoding("latin1").on("data", (text: string) => (received += text));
        await new Promise((resolve) => socket.write(`${HEAD}a`, resolve));
        return { socket, received: () => received };
      }),
    );
    const refusals = () => all.map(({ received }) => received()).filter(Boolean);
    await expect.poll(() => refusals().length).toBe(10);
    for (const refusal of refusals()) {
      expect(refusal).toMatch(/^HTTP\/1\.1 429 /);
      expect(refusal.toLowerCase()).toContain("connection: close");
    }
    const post = () => send(host, "/x", { method: "POST", body: ["a"] });
    expect((await post()).status).toBe(429);
    for (const { socket } of all) socket.write("a".repeat(99));
    await expect.poll(() => refusals().length).toBe(60);
    expect((await post()).body.toString()).toBe("1");
    for (const { socket } of all) socket.destroy();
  });
});

describe("a body in chunks", () => {
  const HEAD = "POST /x HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
  const END = "0\r\n\r\n";
  const chunks = (count: number, size: number) =>
    `${size.toString(16)}\r\n${"a".repeat(size)}\r\n`.repeat(count);

  /** What comes back until the connection ends, or a moment after the answer. */
  async function post(body: string, head = HEAD) {
    const socket = connect(host.port, "127.0.0.1");
    let received = "";
    socket.on("error", () => undefined);
    socket.setEncoding("latin1").on("data", (text: string) => (received += text));
    socket.write(head);
    socket.write(body);
    await expect.poll(() => received).toMatch(/\r\n\r\n/);
    socket.destroy();
    return received;
  }

  it("arrives whole in small chunks", async () => {
    host = await openHost({ pages: echo });
    expect(await post(chunks(100, 1) + END)).toContain("\r\n\r\n100");
    expect(await post(chunks(1_500, 600) + END)).toContain("\r\n\r\n900000");
  });

  it("is refused in thousands of tiny chunks", async () => {
    host = await openHost({ pages: () => Promise.reject(new Error("seen")) });
    // It has no end: it is refused while it comes.
    const answer = await post(chunks(5_000, 1));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer.toLowerCase()).toContain("connection: close");
    const message = "too many small pieces";
    expect(await post(chunks(5_000, 1), HEAD.replace("/x", "/api/x"))).toContain(message);
  });

  it.each(["", "x-forwarded-for: 192.0.2.1\r\n"])(
    "is logged as given up when its client leaves (%j)",
    async (header) => {
      host = await openHost({ pages: () => Promise.reject(new Error("seen")) });
      const socket = connect(host.port, "127.0.0.1");
      socket.write(HEAD.replace("\r\n\r\n", `\r\n${header}\r\n`) + chunks(3, 5));
      await expect.poll(connections).toBe(1);
      await send(host, "/healthz");
      socket.destroy();
      const requests = () => host.log.filter((line) => line.includes('"path":"/x"'));
      await expect.poll(requests).toHaveLength(1);
      expect(JSON.parse(requests()[0] ?? "")).toMatchObject({ level: "info", status: 408 });
      expect(host.log.filter((line) => line.includes('"request given up"'))).toHaveLength(1);
      expect(host.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    },
  );

  const connections = () =>
    new Promise<number>((resolve) => host.server.getConnections((_, count) => resolve(count)));
});

describe("a connection", () => {
  const unread = Buffer.alloc(900_000);

  /** Two requests on one connection, the second after the first is answered; their statuses. */
  async function twice(first: string, body: Buffer) {
    const socket = connect(host.port, "127.0.0.1");
    let received = "";
    const ended = once(socket, "close");
    socket.setEncoding("latin1").on("data", (text: string) => (received += text));
    socket.write(first);
    socket.write(body);
    await expect.poll(() => received).toMatch(/\r\n\r\n/);
    if (/^connection: close/im.test(received)) return { closes: true };
    const before = received.length;
    socket.write("GET /next HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    await ended;
    return { closes: false, next: received.slice(before, before + 12) };
  }

  it("serves another request after a body that no page reads", async () => {
    // A page that passes its request on holds the body without reading it.
    const pages = (request: Request) => new Response(request.body?.getReader() && "page");
    host = await openHost({ pages });
    const head = `POST /nope HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${unread.length}\r\n\r\n`;
    expect(await twice(head, unread)).toEqual({ closes: false, next: "HTTP/1.1 200" });
  });

  it.each([
    ["GET", unread.length],
    ["POST", 2 * MIB],
  ])("announces its end after %s with an unread body", async (method, length) => {
    host = await openHost();
    const head = `${method} / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${length}\r\n\r\n`;
    expect(await twice(head, Buffer.alloc(1_000))).toEqual({ closes: true });
  });
});

describe("a write", () => {
  const post = (headers: Record<string, string>) =>
    send(host, "/login", { method: "POST", headers });

  it.each(["https://evil.example", "null", "not an origin"])(
    "from %s is refused",
    async (origin) => {
      host = await openHost();
      expect((await post({ origin })).status).toBe(403);
    },
  );

  it("from the site itself is accepted", async () => {
    host = await openHost();
    expect((await post({ origin: `http://127.0.0.1:${host.port}` })).status).toBe(200);
    const proxied = { origin: "https://cap.example", "x-forwarded-host": "cap.example" };
    expect((await post(proxied)).status).toBe(200);
  });

  it("of a program without Origin is accepted", async () => {
    host = await openHost();
    expect((await post({})).status).toBe(200);
  });
});

describe("a slow client", () => {
  it("is cut off when its headers do not come", { timeout: 30_000 }, async () => {
    host = await openHost();
    const socket = connect(host.port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n");
    const answer = await new Promise<string>((resolve) =>
      socket.once("data", (data) => resolve(data.toString())),
    );
    expect(answer).toContain("408");
    socket.destroy();
  });
});
