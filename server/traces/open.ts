import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as SdkSpan,
  type Tracer,
} from "@opentelemetry/api";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { runAs } from "../current-work";
import type { Logger } from "../log";
import type { Traces } from "../traces";
import { watchCollector, type CollectorWatch } from "./collector";
import type { NewSpan, Span, TraceHeaders } from "./span";
import { tellRarely } from "./tell-rarely";

/** Of the service, without `OTEL_SERVICE_NAME`. */
const SERVICE = "cap-celeste";

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

/**
 * Begins to send traces (docs/decisions/0072-traces.md). The SDK reads address, headers, sampler and sizes from its
 * standard variables, and knows no context of its own: the current work holds the span.
 */
export function openTraces(log: Logger): Traces {
  const watch = watchCollector(log);
  const tell = tellRarely(log, watch.isAway);
  const logger = { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  setGlobalErrorHandler(watch.failed);
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": SERVICE }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new WatchedExporter(watch))],
  });
  const tracer = provider.getTracer(SERVICE);
  return {
    begin: (span, joined) => spanIn(tracer, joined ? contextOf(joined) : ROOT_CONTEXT, span),
    stop: () =>
      provider.shutdown().then(
        // Of batches that failed on the way only the watch knows.
        () => !watch.isAway(),
        () => false,
      ),
  };
}

const ignore = () => {};

/** Tells the watch how each batch ended. */
class WatchedExporter extends OTLPTraceExporter {
  readonly #watch: CollectorWatch;

  constructor(watch: CollectorWatch) {
    super();
    this.#watch = watch;
  }

  override export(...[spans, end]: Parameters<OTLPTraceExporter["export"]>) {
    super.export(spans, (result) => {
      if (result.error) this.#watch.failed(result.error);
      else this.#watch.answered();
      end(result);
    });
  }
}

const propagator = new W3CTraceContextPropagator();

const contextOf = (headers: TraceHeaders): Context =>
  propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);

function spanIn(tracer: Tracer, context: Context, { name, kind, attributes, startedAt }: NewSpan) {
  const started = startedAt === undefined ? {} : { startTime: startedAt };
  const span = tracer.startSpan(name, { kind: KINDS[kind], attributes, ...started }, context);
  return facadeOf(tracer, span, trace.setSpan(context, span), startedAt !== undefined);
}

/** @param isPast it began before the span was made: the SDK then measures its end in whole milliseconds only */
function facadeOf(tracer: Tracer, span: SdkSpan, context: Context, isPast: boolean): Span {
  return {
    traceId: span.spanContext().traceId,
    isRecording: () => span.isRecording(),
    beginChild: (child) => spanIn(tracer, context, child),
    set: (attributes) => void span.setAttributes(attributes),
    fail(type) {
      span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });
    },
    end() {
      if (!span.isRecording()) return;
      // What the SDK begins here, such as a timer, serves all requests and not this one.
      runAs(null, () => span.end(isPast ? performance.now() : undefined));
    },
    headers() {
      const headers: TraceHeaders = {};
      propagator.inject(context, headers, defaultTextMapSetter);
      return headers;
    },
  };
}
