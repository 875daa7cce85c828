import { createServer, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { UnsentAnswers } from "../../server/host/unsent";
import { createLog } from "../../server/log";
import { openHost, send } from "../support/host";

/** More than the system takes for a connection on one machine, so that the rest waits in the process. */
const LARGE = Buffer.alloc(7 * 1024 * 1024, "a");
const SECOND = 1_000;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Asks for an answer and reads only as much of it as the system does. */
function askWithoutReading(port: number, address: string) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined).pause();
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n\r\n`);
  return socket;
}

describe("answers that one address does not read", () => {
  const TRUSTING = { TRUSTED_PROXIES: "1" };

  async function openLarge() {
    const host = await openHost({ env: TRUSTING, pages: () => new Response(LARGE) });
    ({ server } = host);
    const ended = () => host.log.filter((line) => line.includes("unread answer ended"));
    const answered = () => host.log.filter((line) => line.includes(`"request"`)).length;
    const ask = async (address: string) => {
      const before = answered();
      const socket = askWithoutReading(host.port, address);
      await expect.poll(answered).toBe(before + 1);
      return socket;
    };
    return { host, ended, ask };
  }

  it("hold sixteen megabytes, the oldest ends first", async () => {
    const { ended, ask } = await openLarge();
    const clients: Socket[] = [];
    for (let n = 0; n < 3; n++) clients.push(await ask("192.0.2.1"));
    await expect.poll(ended).toHaveLength(1);
    const connections = () =>
      new Promise<number>((resolve) => server?.getConnections((_, count) => resolve(count)));
    await expect.poll(connections).toBe(2);
    const [oldest] = clients;
    const closed = new Promise<void>((resolve) => oldest?.once("close", () => resolve()));
    oldest?.resume();
    await closed;
    expect(oldest?.bytesRead).toBeLessThan(LARGE.byteLength);
    for (const client of clients) client.destroy();
  });

  it("hold 32 megabytes for the whole network", async () => {
    const { ended, ask } = await openLarge();
    for (let n = 1; n <= 4; n++) await ask(`192.0.2.${n}`);
    expect(ended()).toEqual([]);
    await ask("192.0.2.5");
    expect(ended().map((line) => JSON.parse(line).client)).toEqual(["192.0.2.1"]);
  });

  it("hold 64 megabytes for all, the largest network ends", async () => {
    const { ended, ask } = await openLarge();
    await ask("192.0.2.1");
    await ask("198.51.100.1");
    await ask("198.51.100.2");
    for (let n = 0; n < 6; n++) await ask(`203.0.${n}.1`);
    expect(ended()).toEqual([]);
    await ask("203.0.6.1");
    expect(ended().map((line) => JSON.parse(line).client)).toEqual(["198.51.100.1"]);
  });

  it("give way to those that are read", async () => {
    const { host, ask } = await openLarge();
    await ask("192.0.2.1");
    await ask("192.0.2.1");
    const reading = { headers: { "x-forwarded-for": "192.0.2.1" } };
    expect((await send(host, "/", reading)).body.byteLength).toBe(LARGE.byteLength);
    expect((await send(host, "/", reading)).body.byteLength).toBe(LARGE.byteLength);
  });
});

describe("an answer that a client does not read", () => {
  async function follow(answer: (response: ServerResponse) => void) {
    const lines: string[] = [];
    const unsent = new UnsentAnswers(
      createLog("debug", { write: (line) => void lines.push(line) }),
    );
    const begun = { answers: 0 };
    server = createServer((_, response) => {
      unsent.follow(response, () => "192.0.2.1");
      answer(response);
      begun.answers++;
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const client = askWithoutReading(port, "192.0.2.1");
    await expect.poll(() => begun.answers).toBe(1);
    const start = performance.now();
    const sweepAfter = (seconds: number) => unsent.sweep(start + seconds * SECOND);
    return { client, lines, sweepAfter };
  }

  const secondsOf = (bytes: number) => 30 + bytes / 512;

  it("ends when its time for its size is over", async () => {
    const { lines, sweepAfter } = await follow((response) => response.end(LARGE));
    sweepAfter(secondsOf(LARGE.byteLength) - 5);
    expect(lines).toEqual([]);
    sweepAfter(secondsOf(LARGE.byteLength) + 5);
    expect(lines.join("")).toContain("too slow");
  });

  it("ends while it is still being made", async () => {
    const { lines, sweepAfter } = await follow((response) => response.write(LARGE));
    sweepAfter(0);
    sweepAfter(secondsOf(LARGE.byteLength) + 5);
    expect(lines.join("")).toContain("too slow");
  });

  it("stays open when nothing waits to be sent", async () => {
    const { lines, sweepAfter } = await follow((response) => response.write(":\n\n"));
    sweepAfter(0);
    sweepAfter(100_000);
    expect(lines).toEqual([]);
  });
});
