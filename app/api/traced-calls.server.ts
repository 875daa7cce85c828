import { inSpan, traces } from "../../server/traces";
import type { Span, SpanKind } from "../../server/traces/span";
import type { Carrier } from "./carrier";

/** Each call as a span of its own, by the pattern of its path: the path itself may hold what names a person. */
export function tracedCalls(carrier: Carrier, kind: SpanKind): Carrier {
  if (!traces()) return carrier;
  return (outgoing) => {
    const { line, endpoint } = outgoing;
    const attributes = { "http.request.method": endpoint.method, "url.template": endpoint.path };
    return inSpan({ name: line, kind, attributes }, async (span) => {
      const arriving = await carrier(outgoing);
      if (span) noteStatus(span, kind, arriving.status);
      return arriving;
    });
  };
}

/** What a call was answered. To whom asks another service, each refusal is a failure (semantic conventions of HTTP). */
export function noteStatus(span: Span, kind: SpanKind, status: number) {
  span.set({ "http.response.status_code": status });
  if (status >= (kind === "client" ? 400 : 500)) span.fail(String(status));
}
