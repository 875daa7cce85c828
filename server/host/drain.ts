import type { Server } from "node:http";
import { requestsUnderWay } from "./listen";

const SWEEP_MS = 100;

/**
 * Accepts no more connections and waits for the requests under way, until they are cut off.
 * @returns those that were cut off: method and path
 */
export async function drain(server: Server, limit: number): Promise<string[]> {
  let cutOff: string[] = [];
  const timer = setTimeout(() => {
    cutOff = requestsUnderWay(server);
    server.closeAllConnections();
  }, limit);
  // Closes a connection as soon as its request ends, although the client would keep it alive.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(timer);
  return cutOff;
}
