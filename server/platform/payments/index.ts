import type { Hono } from "hono";
import type { Database } from "../database/tables";
import type { Workers } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import type { PaymentGateway } from "../ports/payment-gateway";
import { sandboxBank } from "./sandbox";
import type { SandboxOptions } from "./sandbox/notifier";

type Options = {
  db: Database;
  clock: Clock;
  log: Log;
  secrets: readonly string[];
  sandbox?: SandboxOptions | undefined;
};

export type Payments = {
  gateway: PaymentGateway;
  /** What the provider answers itself, below `/api/sandbox`. */
  pages: Hono;
  workers: Workers;
};

/** The payment provider in use; the sandbox bank is the only one so far. */
export const paymentsOf = (options: Options): Payments => sandboxBank(options);
