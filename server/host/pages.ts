import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import type { HostContext } from "./request";

/** The Remix build. Its context is new for each request: the session is found by it. */
export function pages(build: ServerBuild, stopping: AbortSignal) {
  const handle = createRequestHandler(build, "production");
  return (context: HostContext) =>
    handle(withoutDataParameter(context.req.raw), {
      clientAddress: context.get("clientAddress"),
      requestId: context.get("requestId"),
      stopping,
    });
}

/**
 * `?_data=<route>` once read one route's data. The router has not asked for it since single fetch, but
 * the framework still answers it, and logs an error each time: here it is a parameter like any other.
 */
function withoutDataParameter(request: Request): Request {
  if (!request.url.includes("_data")) return request;
  const url = new URL(request.url);
  if (!url.searchParams.has("_data")) return request;
  url.searchParams.delete("_data");
  const { method, headers, body, signal } = request;
  return new Request(url, { method, headers, body, signal, ...(body && { duplex: "half" }) });
}
