import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { hasTooManyPieces, limitPieces } from "../../server/host/body-pieces";
import { openHost } from "../support/host";

let server: Server | undefined;
let socket: Socket | undefined;
afterEach(() => {
  socket?.destroy();
  server?.close();
});

const HEAD = " / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
const chunks = (count: number, size: number) =>
  `${size.toString(16)}\r\n${"a".repeat(size)}\r\n`.repeat(count);

/** A request with such a body, which nobody reads, and how often it was told of. */
async function receive(method: string, body: string, head = HEAD) {
  const told: unknown[] = [];
  const requests: IncomingMessage[] = [];
  const listener = limitPieces(
    (request) => requests.push(request),
    (one) => told.push(one),
  );
  server = createServer(listener);
  server.maxHeadersCount = 101;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  socket = connect(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1");
  socket.write(method + head + body);
  await expect.poll(() => requests).toHaveLength(1);
  const [request] = requests;
  if (!request) throw new Error("No request");
  return { request, told };
}

it.each(["GET", "POST", "TRACE"])(
  "a body of %s in thousands of tiny chunks is kept to the first ones",
  async (method) => {
    const { request, told } = await receive(method, chunks(5_000, 1));
    await expect.poll(() => hasTooManyPieces(request)).toBe(true);
    expect(told).toHaveLength(487);
    // What a network packet later brings is dropped, too.
    socket?.write(chunks(5_000, 1));
    await expect.poll(() => socket?.writableLength).toBe(0);
    expect(request.readableLength).toBeLessThan(200);
  },
);

it("a body that too many headers hide is kept to its first chunks", async () => {
  const hidden = HEAD.replace("Host: a\r\n", `Host: a\r\n${"a: b\r\n".repeat(101)}`);
  const { request } = await receive("POST", chunks(5_000, 1), hidden);
  expect(request.headers["transfer-encoding"]).toBeUndefined();
  await expect.poll(() => hasTooManyPieces(request)).toBe(true);
  expect(request.readableLength).toBeLessThan(200);
});

it("a body in chunks of a few hundred bytes is kept whole", async () => {
  const { request, told } = await receive("POST", `${chunks(1_000, 600)}0\r\n\r\n`);
  let size = 0;
  for await (const piece of request) size += piece.length;
  expect(size).toBe(600_000);
  expect(told).toEqual([]);
});

it("a head without end is kept for a hundred headers", async () => {
  const host = await openHost();
  ({ server } = host);
  expect(host.server.maxHeadersCount).toBe(101);
});
