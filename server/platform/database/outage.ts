import { runAs } from "../../current-work";
import type { Log } from "../ports/log";
import { FAULTS, faultOf, isErrorOfUnavailableDatabase, type DatabaseFault } from "./unavailable";
import type { Probe } from "./probe";
import { reasonOf } from "./reason";

/** How often a database that is away is asked whether it is back. */
const ASK_MS = 1_000;
/** A database that fails some callers while it answers others is still away. */
const SETTLED_MS = 1_000;

/** Faults that make this process unready although reads may be answered. A lock is none: pages can be read. */
const UNREADY: ReadonlySet<DatabaseFault> = new Set(["unwritable", "full", "damaged"]);

type Outage = { fault: DatabaseFault; words: string; since: number; lastFailure: number };

export type OutageWatch = {
  /**
   * @param call what failed, without anything of a person
   * @returns whether the error is one of the database: nobody else logs it
   */
  report(error: unknown, call: string): boolean;
  /** The same log, in which errors of the database are told as outages. */
  log: Log;
  /** Why nothing can be answered now; null when the database answers. */
  fault(call: string): Promise<string | null>;
  /** @returns stops listening */
  onEnd(listener: () => void): () => void;
  stop(): Promise<void>;
};

type Options = { log: Log; probe: Probe };

/**
 * Logs one line when the database goes away and one when it is back, whatever fails meanwhile: calls, jobs and
 * watchers would each log a stack, twice a second.
 */
export function watchOutages({ log, probe }: Options): OutageWatch {
  const listeners = new Set<() => void>();
  let outage: Outage | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const end = (ended: Outage) => {
    outage = undefined;
    clearInterval(timer);
    const seconds = Math.round((performance.now() - ended.since) / 100) / 10;
    const verb = ended.fault === "away" ? "answers" : "takes writes";
    log.info({ seconds }, `the database ${verb} again`);
    for (const listener of listeners) listener();
  };
  const ask = async (asked: Outage) => {
    await (asked.fault === "away" ? probe.read() : probe.write());
    const isSettled = performance.now() - asked.lastFailure >= SETTLED_MS;
    // Another question may have been answered first.
    if (isSettled && outage === asked) end(asked);
  };
  const begin = (fault: DatabaseFault, reason: string, call: string) => {
    const now = performance.now();
    const words =
      fault === "damaged"
        ? "the database is damaged"
        : fault === "full"
          ? "disk full: the database takes no writes"
          : fault === "unwritable"
            ? "the database takes no writes"
            : fault === "locked"
              ? "another process keeps the database: nothing can be written"
              : "the database does not answer";
    const begun = (outage = { fault, words, since: now, lastFailure: now });
    log.error({ call, reason }, words);
    clearInterval(timer);
    // What is damaged stays so until it is replaced.
    if (isStopped || fault === "damaged") return;
    // What goes on from here is not done for the request or job that met the outage first.
    timer = runAs(null, () =>
      setInterval(() => void ask(begun).catch(() => undefined), ASK_MS).unref(),
    );
  };
  const fail = (fault: DatabaseFault, reason: string, call: string) => {
    const isWorse = !outage || FAULTS.indexOf(fault) > FAULTS.indexOf(outage.fault);
    if (!outage || isWorse) begin(fault, reason, call);
    else outage.lastFailure = performance.now();
  };

  const report: OutageWatch["report"] = (error, call) => {
    if (!isErrorOfUnavailableDatabase(error)) return false;
    const reason = reasonOf(error);
    if (isOfStatement(error)) log.error({ call, reason }, "the database gave up a statement");
    else fail(faultOf(error), reason, call);
    return true;
  };
  return {
    report,
    log: reportingLog(log, report),
    async fault(call) {
      if (outage && UNREADY.has(outage.fault)) return outage.words;
      try {
        await probe.read();
        return null;
      } catch (error) {
        const reason = reasonOf(error);
        fail(faultOf(error), reason, call);
        return `The database does not answer: ${reason}`;
      }
    },
    onEnd(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await probe.close();
    },
  };
}

/** PostgreSQL error codes of two transactions in each other's way, and of a statement that took too long. */
const STATEMENT_ERROR = /^(?:40|55P03$|57014$)/;

/** Whether the database answers, and only this statement must be tried again. */
const isOfStatement = (error: unknown) =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "string" &&
  STATEMENT_ERROR.test(error.code);

function reportingLog(inner: Log, report: OutageWatch["report"]): Log {
  const reporting = (level: "warn" | "error") => (fields: object, message: string) => {
    if ("err" in fields && report(fields.err, callOf(fields) ?? message)) return;
    inner[level](fields, message);
  };
  return {
    info: (fields, message) => inner.info(fields, message),
    warn: reporting("warn"),
    error: reporting("error"),
  };
}

/** The line of a call, or the kind of a job. */
function callOf(fields: object): string | undefined {
  if ("line" in fields && typeof fields.line === "string") return fields.line;
  if ("kind" in fields && typeof fields.kind === "string") return fields.kind;
  return undefined;
}
