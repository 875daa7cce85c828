import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";

/** What the host adds to the context of a request. */
export type HostEnv = {
  Bindings: HttpBindings;
  Variables: { requestId: string; clientAddress: string };
};
export type HostContext = Context<HostEnv>;
export type HostMiddleware = MiddlewareHandler<HostEnv>;

/** Sets a header of the answer that is made. Hono's own way would copy the answer, and read its body, each time. */
export const setHeader = ({ res }: HostContext, name: string, value: string) =>
  res.headers.set(name, value);

export const isReadMethod = (method: string) => method === "GET" || method === "HEAD";

/** Whether a path is of the API: `/api` itself and all below. */
export const isApiPath = (path: string) => path === "/api" || path.startsWith("/api/");

/** True for calls of the API and clients that ask for JSON; others get a page. */
export function wantsJson(context: HostContext) {
  const accept = context.req.header("accept") ?? "";
  return isApiPath(context.req.path) || /^application\/json\b/.test(accept);
}
