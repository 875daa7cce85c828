import { AsyncLocalStorage } from "node:async_hooks";
import { processWide } from "./process-wide";
import type { Span } from "./traces/span";

/** What this process does: it answers a request, or runs a job of the queue. */
export type Work = (
  | {
      requestId: string;
      /** The sites that have passed the request on, as its header names them. */
      passedSites?: string | undefined;
    }
  | { job: string; kind: string }
) & {
  /** The part of its trace that runs. Undefined when no traces are sent. */
  span?: Span | undefined;
};

const storage = processWide("work", () => new AsyncLocalStorage<Work | null>());

/** Runs a part of the work, with all that it waits for and begins. Null: what belongs to no request or job. */
export const runAs = <T>(work: Work | null, run: () => T): T => storage.run(work, run);

/** Runs a part of the current work, whose own parts are then parts of this span. */
export function runWithSpan<T>(span: Span, run: () => T): T {
  const work = storage.getStore();
  return work ? storage.run({ ...work, span }, run) : run();
}

/** The request that is answered here; null in what no request waits for. */
export function currentRequest() {
  const work = storage.getStore();
  return work && "requestId" in work ? work : null;
}

/** The span of what runs here. */
export const currentSpan = (): Span | undefined => storage.getStore()?.span;

/** The fields of each line of the log that is written during the work. */
export function fieldsOfWork(): Record<string, string> {
  const work = storage.getStore();
  if (!work) return {};
  const trace = work.span && { trace_id: work.span.traceId };
  return "requestId" in work
    ? { requestId: work.requestId, ...trace }
    : { job: work.job, kind: work.kind, ...trace };
}
