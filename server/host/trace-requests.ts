import type { IncomingMessage, ServerResponse } from "node:http";
import { currentSpan } from "../current-work";
import type { Traces } from "../traces";
import type { Span } from "../traces/span";
import type { HostMiddleware } from "./http/request";

type Asked = {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  origin: string;
  isFromProxy: boolean;
  requestId: string;
};

/** Begins the span of a request, which ends with its answer. */
export type RequestTraces = { begin(asked: Asked): Span };

/**
 * Traces requests by their routes. A proxy in `TRUSTED_PROXIES` may have begun the trace; a visitor's own would let
 * them choose what is kept, and under which name.
 */
export const requestTraces = (
  { begin }: Traces,
  routeOf: (path: string) => string,
): RequestTraces => ({
  begin({ request, response, path, origin, isFromProxy, requestId }) {
    const { method = "", headers } = request;
    const route = routeOf(path);
    const span = begin(
      {
        name: `${method} ${route}`,
        kind: "server",
        attributes: {
          "http.request.method": method,
          "url.scheme": origin.startsWith("https:") ? "https" : "http",
          "cap.request_id": requestId,
          // The others are names of this site, not patterns of paths.
          ...(route.startsWith("/") && { "http.route": route }),
        },
      },
      isFromProxy
        ? {
            traceparent: headers.traceparent?.toString(),
            tracestate: headers.tracestate?.toString(),
          }
        : undefined,
    );
    response.once("close", () => endWith(span, response.headersSent ? response.statusCode : null));
    return span;
  },
});

/** A stream of events stays open for hours: its span ends when it begins, and what it reads later has none. */
export const endSpansOfStreams = (): HostMiddleware => async (context, next) => {
  await next();
  const { status, headers } = context.res;
  const span = currentSpan();
  if (span && headers.get("content-type")?.startsWith("text/event-stream")) endWith(span, status);
};

/** @param status null when the visitor left before there was an answer */
function endWith(span: Span, status: number | null) {
  if (!span.isRecording()) return;
  if (status !== null) span.set({ "http.response.status_code": status });
  if (status !== null && status >= 500) span.fail(String(status));
  span.end();
}
