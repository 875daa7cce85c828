import type { Log } from "../ports/log";
import { isErrorOfUnavailableDatabase } from "./unavailable";
import type { Probe } from "./probe";
import { reasonOf } from "./reason";

/** How often a database that is away is asked whether it is back. */
const ASK_MS = 1_000;
/** A database that fails some callers while it answers others is still away. */
const SETTLED_MS = 1_000;

type Outage = { since: number; lastFailure: number };

export type OutageWatch = {
  /**
   * @param call what failed, without anything of a person
   * @returns whether the error is one of the database: nobody else logs it
   */
  tell(error: unknown, call: string): boolean;
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
    log.info({ seconds }, "the database answers again");
    for (const listener of listeners) listener();
  };
  const ask = async () => {
    const asked = outage;
    await probe.read();
    const isSettled = asked && performance.now() - asked.lastFailure >= SETTLED_MS;
    // Another question may have been answered first.
    if (isSettled && outage === asked) end(asked);
  };
  const begin = (reason: string, call: string) => {
    const now = performance.now();
    outage = { since: now, lastFailure: now };
    log.error({ call, reason }, "the database does not answer");
    if (isStopped) return;
    timer = setInterval(() => void ask().catch(() => undefined), ASK_MS).unref();
  };
  const fail = (reason: string, call: string) => {
    if (outage) outage.lastFailure = performance.now();
    else begin(reason, call);
  };

  const tell: OutageWatch["tell"] = (error, call) => {
    if (!isErrorOfUnavailableDatabase(error)) return false;
    const reason = reasonOf(error);
    if (isOfStatement(error)) log.error({ call, reason }, "the database gave up a statement");
    else fail(reason, call);
    return true;
  };
  return {
    tell,
    log: tellingLog(log, tell),
    async fault(call) {
      const reason = await probe.read().then(() => null, reasonOf);
      if (reason !== null) fail(reason, call);
      return reason && `The database does not answer: ${reason}`;
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

function tellingLog(log: Log, tell: OutageWatch["tell"]): Log {
  const telling = (level: "warn" | "error") => (fields: object, message: string) => {
    if ("err" in fields && tell(fields.err, callOf(fields) ?? message)) return;
    log[level](fields, message);
  };
  return {
    info: (fields, message) => log.info(fields, message),
    warn: telling("warn"),
    error: telling("error"),
  };
}

/** The line of a call, or the kind of a job. */
function callOf(fields: object): string | undefined {
  if ("line" in fields && typeof fields.line === "string") return fields.line;
  if ("kind" in fields && typeof fields.kind === "string") return fields.kind;
  return undefined;
}
