import type { Server } from "node:http";

const DRAIN_MS = 10_000;
const SWEEP_MS = 100;

/** Takes no more connections and lets the requests under way finish, for ten seconds at most. */
export async function drain(server: Server, limit = DRAIN_MS) {
  const timer = setTimeout(() => server.closeAllConnections(), limit);
  // Each connection ends when its request does, though the client would keep it.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(timer);
}
