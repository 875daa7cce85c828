import { createServer, type RequestListener, type Server } from "node:http";
import { errorCode, StartFault } from "./fault";
import { handleInOrder } from "./pipelining";

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

/** Node does not pass `CONNECT` to the request listener. */
const NO_PROXY =
  "HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

export type Address = { port: number; host?: string | undefined };

/** @throws StartFault when the address is in use, reserved or not one of this machine */
export async function listen(listener: RequestListener, address: Address): Promise<Server> {
  const server = createServer(TIMEOUTS, handleInOrder(listener));
  server.setTimeout(SOCKET_IDLE_MS);
  server.on("connect", (_, socket) => socket.end(NO_PROXY));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new StartFault(faultOf(error, address))));
    server.listen(address.port, address.host, resolve);
  });
  return server;
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
