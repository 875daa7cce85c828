/** `server`: the site answers; `client`: it asks somebody else; `internal`: it does something itself. */
export type SpanKind = "server" | "client" | "internal";

/** By the names of the semantic conventions. Nothing of a person and no secret: no path, no query, no parameter. */
export type SpanAttributes = Record<string, string | number>;

export type NewSpan = {
  /** Of few values: the pattern of a route, never a path. */
  name: string;
  kind: SpanKind;
  attributes: SpanAttributes;
  /** Of `performance.now()`, for what has begun earlier. */
  startedAt?: number;
};

/** Headers of the W3C trace context. */
export type TraceHeaders = { traceparent?: string | undefined; tracestate?: string | undefined };

/** Part of a trace, such as a request or a call that it makes. */
export type Span = {
  traceId: string;
  /** False once it has ended, and when the sampler left its trace out. It has no further children then. */
  isRecording(): boolean;
  beginChild(span: NewSpan): Span;
  set(attributes: SpanAttributes): void;
  /** @param type a class of errors, such as `500` or `TimeoutError`: messages may name a person */
  fail(type: string): void;
  end(): void;
  /** What joins a request to another service to this trace. */
  headers(): TraceHeaders;
};

/** The class of an error, without its message. */
export function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
