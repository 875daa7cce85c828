import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";

/** What the host knows of one request. */
export type HostEnv = {
  Bindings: HttpBindings;
  Variables: { requestId: string; clientAddress: string };
};
export type HostContext = Context<HostEnv>;
export type HostMiddleware = MiddlewareHandler<HostEnv>;

export const isRead = (method: string) => method === "GET" || method === "HEAD";

/** Programs get JSON, people a page. */
export function wantsJson(context: HostContext) {
  const accept = context.req.header("accept") ?? "";
  return context.req.path.startsWith("/api/") || /^application\/json\b/.test(accept);
}
