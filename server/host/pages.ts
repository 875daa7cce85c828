import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import type { HostContext } from "./request";

/** The Remix build. Its context is new for each request: the session is found by it. */
export function pages(build: ServerBuild, stopping: AbortSignal) {
  const handle = createRequestHandler(build, "production");
  return (context: HostContext) =>
    handle(context.req.raw, {
      clientAddress: context.get("clientAddress"),
      requestId: context.get("requestId"),
      stopping,
    });
}
