import type { Server } from "node:http";

const DRAIN_MS = 10_000;
const SWEEP_MS = 100;

/** Accepts no more connections and waits up to ten seconds for the requests in progress. */
export async function drain(server: Server, limit = DRAIN_MS) {
  const timer = setTimeout(() => server.closeAllConnections(), limit);
  // Closes a connection as soon as its request ends, although the client would keep it alive.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(timer);
}
