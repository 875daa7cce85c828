import { randomUUID } from "node:crypto";
import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import type { StandIn } from "../../app/session/stand-in.server";
import type { HostContext } from "./request";

export type Pages = {
  /** Answers the request of a visitor. */
  answer: (context: HostContext) => Promise<Response>;
  /**
   * Answers a request that nobody in particular has sent.
   * @param standIn whose session the page is made for; without one, for visitors
   */
  answerPlain: (request: Request, standIn?: StandIn) => Promise<Response>;
};

/** Answers with the Remix build. The load context is a new object per request: it keys the session. */
export function pages(build: ServerBuild, stopping: AbortSignal): Pages {
  const handle = createRequestHandler(build, "production");
  return {
    answer: (context) =>
      handle(withoutDataParameter(context.req.raw), {
        clientAddress: context.get("clientAddress"),
        requestId: context.get("requestId"),
        stopping,
      }),
    answerPlain: (request, standIn) =>
      handle(request, { requestId: randomUUID(), stopping, ...(standIn && { standIn }) }),
  };
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
