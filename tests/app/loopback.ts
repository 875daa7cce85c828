import { createServer, type RequestListener, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";

export type Loopback = { origin: string; close(): Promise<void> };

/** Starts a real HTTP server for a test, on a free port of this machine. */
export function openLoopback(answer: (request: Request) => Response | Promise<Response>) {
  return openServer(getRequestListener(answer));
}

/** Starts a TCP server, for a test that needs the bare connection. */
export async function openServer(listener: RequestListener): Promise<Loopback> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function portOf(server: Server) {
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}
