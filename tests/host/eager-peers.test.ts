import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, it } from "vitest";
import { eagerPeers } from "../../server/host/eager-peers";
import { handleInOrder } from "../../server/host/pipelining";
import { createLog } from "../../server/log";
import { openHost, send } from "../support/host";
import { freePort } from "../support/port";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

type Pages = () => Response | Promise<Response>;

/** By default this machine is trusted as a proxy. */
const DIRECT = { TRUSTED_PROXIES: "192.0.2.1" };

/** A host, and what its log says of refused connections. */
async function open(env: Record<string, string>, pages: Pages = () => new Response("page")) {
  const host = await openHost({ env, pages });
  ({ server } = host);
  return { ...host, told: () => host.log.filter((line) => line.includes("connections refused")) };
}

/** A server that closes no connection by itself, with a clock. */
async function openWithClock() {
  const clock = { ms: 0 };
  const log = createLog("silent");
  const peers = eagerPeers({ trustedProxies: [], log, isIdle: () => true, now: () => clock.ms });
  const handle = handleInOrder((_, response) => response.end("ok"), peers.overflowed);
  const endless = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 };
  server = createServer(endless, handle).on("connection", peers.connected);
  const port = await freePort();
  await new Promise<void>((resolve) => server?.listen(port, "127.0.0.1", resolve));
  return { port, clock };
}

type Port = { port: number };

/** Opens a connection and sends as many requests at once; `closed` once the connection is. */
async function pipeline({ port }: Port, count: number) {
  const socket = connect(port, "127.0.0.1");
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const received = { text: "" };
  socket.on("error", () => undefined);
  socket.setEncoding("latin1").on("data", (text: string) => (received.text += text));
  socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count));
  return { socket, closed, received };
}

const TINY_HEAD = "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
const TINY_CHUNK = "1\r\na\r\n";

/** What comes back until the connection ends. */
async function sendRaw({ port }: Port, text: string) {
  const socket = connect(port, "127.0.0.1");
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  let received = "";
  socket.on("error", () => undefined);
  socket.setEncoding("latin1").on("data", (part: string) => (received += part));
  socket.write(text);
  await closed;
  return received;
}

/** Sends a body of so many chunks of one byte, without an end. */
const sendTinyPieces = (host: Port, count: number) =>
  sendRaw(host, TINY_HEAD + TINY_CHUNK.repeat(count));

/** Node reads 64 KB of a connection at most before it is ended, so that it takes several. */
const CONNECTIONS = 40;

async function overflow(host: Port, { connections = CONNECTIONS, requests = 1_500 } = {}) {
  for (let n = 0; n < connections; n++) await (await pipeline(host, requests)).closed;
}

it("a peer that pipelines thousands of requests too many is refused", async () => {
  const host = await open(DIRECT);
  await overflow(host);
  await expect(send(host, "/healthz", { agent: false })).rejects.toThrow();
  const { closed, received } = await pipeline(host, 1);
  await closed;
  expect(received.text).toBe("");
  expect(host.told().map((line) => JSON.parse(line).client)).toEqual(["127.0.0.1"]);
});

it("a peer that sends bodies in tiny pieces again and again is refused", async () => {
  const host = await open(DIRECT);
  const { closed } = await pipeline(host, 0);
  for (let n = 0; n < 4; n++) expect(await sendTinyPieces(host, 10_900)).toContain(" 413 ");
  for (let n = 0; n < 2; n++) await sendTinyPieces(host, 10_900);
  await closed;
  await expect(send(host, "/healthz", { agent: false })).rejects.toThrow();
  expect(host.told()).toHaveLength(1);
});

it("ten short bodies in tiny pieces close the site to nobody who shares their peer", async () => {
  const host = await open(DIRECT);
  for (let n = 0; n < 20; n++) expect(await sendTinyPieces(host, 150)).toContain(" 413 ");
  expect((await send(host, "/healthz", { agent: false })).status).toBe(200);
});

it("bodies on a connection that was ended count by their pieces", async () => {
  const host = await open(DIRECT);
  const whole = `${TINY_HEAD}${TINY_CHUNK.repeat(120)}0\r\n\r\n`;
  for (let n = 0; n < 20; n++) await sendRaw(host, whole.repeat(80));
  await expect(send(host, "/healthz", { agent: false })).rejects.toThrow();
  expect(host.told()).toHaveLength(1);
});

it("a few requests too many close the site to nobody who shares their peer", async () => {
  const host = await open(DIRECT);
  await overflow(host, { connections: 20, requests: 100 });
  expect((await send(host, "/healthz", { agent: false })).status).toBe(200);
  expect(host.told()).toEqual([]);
});

it("connections that a refused peer opened before are ended", async () => {
  const host = await openWithClock();
  const silent = await pipeline(host, 0);
  const answered = await pipeline(host, 1);
  await expect.poll(() => answered.received.text).toContain("200");
  await overflow(host);
  await Promise.all([silent.closed, answered.closed]);
});

it("a request under way is answered to a refused peer", async () => {
  const held: ((page: Response) => void)[] = [];
  const host = await open(DIRECT, () => new Promise((resolve) => held.push(resolve)));
  const answered = send(host, "/");
  await expect.poll(() => held).toHaveLength(1);
  await overflow(host);
  expect(host.told()).toHaveLength(1);
  held[0]?.(new Response("page"));
  expect((await answered).status).toBe(200);
});

it.each(["1", "127.0.0.1", "127.0.0.0/8"])(
  "the proxy of TRUSTED_PROXIES=%s is never refused",
  async (TRUSTED_PROXIES) => {
    const host = await open({ TRUSTED_PROXIES });
    await overflow(host);
    expect((await send(host, "/healthz")).status).toBe(200);
    expect(host.told()).toEqual([]);
  },
);

it("a refused peer is served again after a second", async () => {
  const { port, clock } = await openWithClock();
  await overflow({ port });
  clock.ms = 999;
  await expect(send({ port }, "/", { agent: false })).rejects.toThrow();
  clock.ms = 1_000;
  expect((await send({ port }, "/", { agent: false })).status).toBe(200);
});
