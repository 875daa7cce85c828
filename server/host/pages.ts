import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import type { HostContext } from "./request";

/** Answers with the Remix build. The load context is a new object per request: it keys the session. */
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
 * Removes `?_data=<route>`. Since single fetch the router does not use it, but Remix still answers
 * it and logs an error each time.
 */
function withoutDataParameter(request: Request): Request {
  if (!request.url.includes("_data")) return request;
  const url = new URL(request.url);
  if (!url.searchParams.has("_data")) return request;
  url.searchParams.delete("_data");
  const { method, headers, body, signal } = request;
  return new Request(url, { method, headers, body, signal, ...(body && { duplex: "half" }) });
}
