import type { Server } from "node:http";
import { requestsUnderWay } from "./listen";

const SWEEP_MS = 100;
/** Requests that are named, and the length of their names: strangers choose both, and the log has them in a line. */
const NAMED = 20;
const NAME_LENGTH = 200;

/**
 * Accepts no more connections and waits for the requests under way, until they are cut off.
 * @returns the first that were cut off, method and path, and how many there are more
 */
export async function drain(server: Server, limit: number): Promise<string[]> {
  let cutOff: string[] = [];
  const timer = setTimeout(() => {
    cutOff = nameFirst(requestsUnderWay(server));
    server.closeAllConnections();
  }, limit);
  // Closes a connection as soon as its request ends, although the client would keep it alive.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(timer);
  return cutOff;
}

function nameFirst(requests: readonly string[]): string[] {
  const more = requests.length - NAMED;
  const first = requests.slice(0, NAMED).map((request) => request.slice(0, NAME_LENGTH));
  return more > 0 ? [...first, `${more} more`] : first;
}
