import { runAs } from "../current-work";
import type { Logger } from "../log";

/** A collector that refuses some batches while it takes others is still away. */
const SETTLED_MS = 10_000;

export type CollectorWatch = {
  failed(error: unknown): void;
  answered(): void;
  isAway(): boolean;
};

/** Logs one line when the collector goes away and one when it is back, however many batches fail meanwhile. */
export function watchCollector(log: Logger): CollectorWatch {
  let outage: { since: number; lastFailure: number } | undefined;
  return {
    failed(error) {
      const now = performance.now();
      if (!outage) {
        const reason = reasonOf(error);
        runAs(null, () => log.warn({ reason }, "the collector takes no traces"));
      }
      outage = { since: outage?.since ?? now, lastFailure: now };
    },
    answered() {
      const now = performance.now();
      if (!outage || now - outage.lastFailure < SETTLED_MS) return;
      const seconds = Math.round((now - outage.since) / 100) / 10;
      outage = undefined;
      runAs(null, () => log.info({ seconds }, "the collector takes traces again"));
    },
    isAway: () => outage !== undefined,
  };
}

/** A refusal by its status alone: what the collector says of it may repeat the headers of the request. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isStatus = "code" in error && typeof error.code === "number";
  return isStatus ? `it answers ${String(error.code)}` : error.message;
}
