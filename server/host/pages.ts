import { getConnInfo } from "@hono/node-server/conninfo";
import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import { clientAddressOf } from "./client-address";
import type { HostContext } from "./request";

/** The Remix build. Its context is new for each request: the session is found by it. */
export function pages(build: ServerBuild, stopping: AbortSignal) {
  const handle = createRequestHandler(build, "production");
  return (context: HostContext) =>
    handle(context.req.raw, {
      clientAddress: clientAddressOf(
        getConnInfo(context).remote.address ?? "",
        context.req.header("x-forwarded-for"),
      ),
      requestId: context.get("requestId"),
      stopping,
    });
}
