import { createServer, STATUS_CODES } from "node:http";
import type { RequestListener, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Config } from "../../app/config.server";
import type { Logger } from "../log";
import { errorCode, StartFault } from "./fault";
import { eagerPeers } from "./eager-peers";
import { limitPieces } from "./body-pieces";
import { handleInOrder } from "./pipelining";
import { refusalOf, type RefusalReason } from "./refusal";
import { MAX_HEADERS, pathOf, REFUSAL_HEADERS } from "./request-line";

/**
 * Limits clients that hold connections by sending slowly. The keep-alive time is longer than that
 * of common proxies, so that a proxy never reuses a connection that closes here.
 */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};
const SOCKET_IDLE_MS = 70_000;
/** Connections of a process. Each costs some 30 KB; more are closed at once (docs/decisions/0025). */
const MAX_CONNECTIONS = 10_000;

/** What each server answers at the moment. */
const underWay = new WeakMap<Server, ReadonlySet<ServerResponse>>();

/** Method and path of each request that has begun and not ended. A query may hold a secret. */
export const requestsUnderWay = (server: Server): string[] =>
  [...(underWay.get(server) ?? [])].map(
    ({ req: { method = "", url = "" } }) => `${method} ${pathOf(url) ?? ""}`,
  );

export type Address = { port: number; host?: string | undefined };
type Settings = Address & Pick<Config, "trustedProxies">;

/** @throws StartFault when the address is in use, reserved or not one of this machine */
export async function listen(
  listener: RequestListener,
  { trustedProxies, ...address }: Settings,
  log: Logger,
): Promise<Server> {
  const current = new WeakMap<Duplex, ServerResponse>();
  const isIdle = (socket: Duplex) => !current.has(socket);
  const peers = eagerPeers({ trustedProxies, log, isIdle });
  const responses = new Set<ServerResponse>();
  const inOrder = handleInOrder((request, response) => {
    const { socket } = request;
    current.set(socket, response);
    responses.add(response);
    response.once("close", () => {
      responses.delete(response);
      if (current.get(socket) === response) current.delete(socket);
    });
    listener(request, response);
  }, peers.overflowed);
  const handle = limitPieces(inOrder, peers.sentTinyPieces);
  // The listener refuses a request without `Host`. Node would answer with an empty body.
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false }, handle);
  underWay.set(server, responses);
  // RFC 9110, 10.1.1: an unknown expectation may be ignored. Node would answer with an empty body.
  server.on("checkExpectation", handle);
  server.setTimeout(SOCKET_IDLE_MS);
  server.maxConnections = MAX_CONNECTIONS;
  // One more than is accepted, so that more are told from as many. Of a head without end Node would keep 2,000.
  server.maxHeadersCount = MAX_HEADERS + 1;
  server.on("connection", peers.connected);
  server.on("connect", (_, socket) => refuseUnparsed(socket, "CONNECT", log));
  server.on("clientError", (error, socket) => {
    // What still arrives after a refusal is discarded.
    if (socket.writableEnded) return;
    const code = errorCode(error);
    const hasBegun = current.get(socket)?.headersSent;
    if (code === "ECONNRESET" || hasBegun || !socket.writable) socket.destroy();
    else refuseUnparsed(socket, code, log);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new StartFault(faultOf(error, address))));
    server.listen(address.port, address.host, resolve);
  });
  return server;
}

/** Node's codes of what its parser refuses. All others mean that it is malformed. */
const UNPARSED: Record<string, RefusalReason> = {
  CONNECT: "method",
  HPE_HEADER_OVERFLOW: "longHead",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "tooLarge",
  ERR_HTTP_REQUEST_TIMEOUT: "tooSlow",
};

/** Time for a client to read its refusal while it still sends: a reset would discard it. */
const LINGER_MS = 1_000;

/**
 * Refuses what never becomes a request for the listener: `CONNECT`, what is no HTTP, what is too long
 * or too slow. Its path and `Accept` are unknown, so the answer always has the API's error form: mostly
 * programs send such requests, and people can read the sentence in it.
 */
function refuseUnparsed(socket: Duplex, code: string, log: Logger) {
  const reason = UNPARSED[code] ?? "malformed";
  const { status, type, body } = refusalOf(reason, true);
  const headers = {
    ...REFUSAL_HEADERS,
    connection: "close",
    "content-length": Buffer.byteLength(body),
    "content-type": type,
    date: new Date().toUTCString(),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`;
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
  socket.on("error", () => socket.destroy());
  socket.resume();
  socket.end([statusLine, ...lines, "", body].join("\r\n"));
  log.info({ status, fault: reason, code }, "request refused");
}

/** The URL to open in a browser. */
export function urlOf(server: Server, host = "localhost"): string {
  const address = server.address();
  const port = address && typeof address === "object" ? address.port : 0;
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function faultOf(error: Error, { port, host }: Address): string {
  const code = errorCode(error);
  if (code === "EADDRINUSE") {
    return `PORT: ${port} is already in use; stop the other program or give a free port, such as PORT=${port + 1}`;
  }
  if (code === "EACCES") {
    return `PORT: ${port} is reserved for the system; give a port above 1023, such as PORT=3000`;
  }
  return `HOST: cannot listen on ${host ?? "all interfaces"} (${code}); give an address of this machine or leave it out`;
}
