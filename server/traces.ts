import { currentSpan, runWithSpan } from "./current-work";
import { processWide } from "./process-wide";
import { typeOf, type NewSpan, type Span, type TraceHeaders } from "./traces/span";

/** What begins traces, and sends them to a collector. */
export type Traces = {
  /** @param joined headers of a trace that goes on here */
  begin(span: NewSpan, joined?: TraceHeaders): Span;
  /** Sends what waits. False when the collector did not take it. */
  stop(): Promise<boolean>;
};

const opened = processWide("traces", (): { traces?: Traces } => ({}));

/** Undefined without the variables of OpenTelemetry: then nothing of it is loaded. */
export const traces = (): Traces | undefined => opened.traces;

export function setTraces(traces: Traces) {
  opened.traces = traces;
}

/** Runs a part of the current work as a span of its own. Undefined where nothing is traced. */
export async function inSpan<T>(
  started: NewSpan,
  run: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const parent = currentSpan();
  if (!parent?.isRecording()) return run(undefined);
  const span = parent.beginChild(started);
  try {
    return await runWithSpan(span, () => run(span));
  } catch (error) {
    span.fail(typeOf(error));
    throw error;
  } finally {
    span.end();
  }
}
