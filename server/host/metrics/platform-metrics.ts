import { setTimeout as pause } from "node:timers/promises";
import { Counter, Gauge, type Registry } from "prom-client";
import { counts } from "../../counts";
import type { Platform } from "../../platform";

/** What the platform tells of itself. */
export type Measured = Pick<Platform, "waiting" | "connections" | "fault">;

/** A database that hangs must not hold up the rest. */
const PATIENCE_MS = 1_000;

/**
 * Figures of the embedded platform. Without one, which is also while it opens, they have no values. Each worker reads
 * the same rows, so that the largest of their values counts, not the sum.
 * @returns reads what the database knows; called before the registry is read
 */
export function platformMetrics(register: Registry, platform: () => Measured | undefined) {
  const registers = [register];
  const ofDatabase = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers, aggregator: "max" });
  const isUp = new Gauge({
    name: "cap_database_up",
    help: "1 if the database answers within a second and takes writes, else 0",
    registers,
    aggregator: "min",
  });
  const connections = new Gauge({
    name: "cap_database_connections",
    help: "Connections to PostgreSQL",
    labelNames: ["state"],
    registers,
  });
  const queued = new Gauge({
    name: "cap_database_connection_waits",
    help: "Calls that wait for a connection to PostgreSQL",
    registers,
  });
  const due = ofDatabase("cap_jobs_due", "Jobs that are due, up to 2000 of all lanes", ["lane"]);
  const oldestJob = ofDatabase(
    "cap_jobs_oldest_due_seconds",
    "For how long the oldest job is due",
    ["lane"],
  );
  const mails = ofDatabase("cap_mails_waiting", "Mails that are to be sent now, or again");
  const failing = ofDatabase("cap_mails_failing", "Waiting mails that were tried already");
  const oldestMail = ofDatabase("cap_mails_oldest_seconds", "For how long the oldest mail waits");
  const stopped = ofDatabase("cap_mails_stopped", "1 while the mail server takes no mail, else 0");
  const single = [isUp, queued, mails, failing, oldestMail, stopped];

  countersOf(register);

  let reading: Promise<Awaited<ReturnType<Measured["waiting"]>> | null> | undefined;
  const read = (measured: Measured) => {
    const forget = () => void (reading = undefined);
    reading ??= measured
      .waiting()
      .catch(() => null)
      .finally(forget);
    return Promise.race([reading, pause(PATIENCE_MS, null, { ref: false })]);
  };

  return async () => {
    const measured = platform();
    for (const gauge of [connections, due, oldestJob]) gauge.reset();
    // `reset` would leave a zero, which would look like a measured value.
    for (const gauge of single) gauge.remove();
    if (!measured) return;
    const pool = measured.connections();
    if (pool) {
      connections.set({ state: "busy" }, pool.busy);
      connections.set({ state: "idle" }, pool.idle);
      queued.set(pool.waiting);
    }
    const waiting = await read(measured);
    // A database that takes no writes still answers reads. It counts as down, as for /readyz.
    const isFit = waiting !== null && (await measured.fault()) === null;
    isUp.set(isFit ? 1 : 0);
    if (!waiting) return;
    for (const { lane, ...jobs } of waiting.lanes) {
      due.set({ lane }, jobs.due);
      oldestJob.set({ lane }, jobs.oldestSeconds);
    }
    mails.set(waiting.mails.waiting);
    failing.set(waiting.mails.failing);
    oldestMail.set(waiting.mails.oldestSeconds);
    stopped.set(waiting.mails.areStopped ? 1 : 0);
  };
}

type Labels = Record<string, string>;

/**
 * `known`: labels of what has not happened yet. Each series begins at zero, because Prometheus sees an increase only
 * of what was there before.
 */
function countersOf(register: Registry) {
  const showCount = (
    name: string,
    help: string,
    { all }: { all: () => { labels: Labels; value: number }[] },
    known: Labels[],
    labelNames = Object.keys(known[0] ?? {}),
  ) =>
    new Counter({
      name,
      help,
      labelNames,
      registers: [register],
      collect() {
        this.reset();
        for (const labels of known) this.inc(labels, 0);
        for (const { labels, value } of all()) this.inc(labels, value);
      },
    });
  const decided = ["success", "failure", "cancelled"];
  const payments = ["first", "renewal"].flatMap((kind) =>
    [...decided, "no_card", "late"].map((outcome) => ({ kind, outcome })),
  );
  const refunds = [...decided, "undecided"].map((outcome) => ({ outcome }));
  const mails = ["sent", "given_up"].map((outcome) => ({ outcome }));
  showCount("cap_payments_total", "Decided payments", counts.payments, payments);
  showCount("cap_refunds_total", "Decided or given up refunds", counts.refunds, refunds);
  showCount("cap_mails_total", "Mails that were sent or given up", counts.mails, mails);
  showCount("cap_limits_hit_total", "Refusals by a limit", counts.limits, [], ["rule"]);
}
