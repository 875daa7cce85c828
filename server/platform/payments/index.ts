import type { Hono } from "hono";
import type { Database } from "../database/tables";
import type { Workers } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import type { PaymentGateway } from "../ports/payment-gateway";
import { createSandboxBank } from "./sandbox";
import type { SandboxOptions } from "./sandbox/notifier";
import type { StripeOptions } from "./stripe/client";

type Options = {
  db: Database;
  clock: Clock;
  log: Log;
  secrets: readonly string[];
  siteTitle: string;
  sandbox?: SandboxOptions | undefined;
  stripe?: StripeOptions | undefined;
};

export type Payments = {
  gateway: PaymentGateway;
  /** Pages and webhooks of the provider, mounted at `path`. */
  path: "/api/sandbox" | "/api/stripe";
  pages: Hono;
  workers: Workers;
  /** Schedules what the opening left to do; the database is not yet prepared then. */
  begin?(): Promise<void>;
};

/**
 * Opens the payment provider: Stripe when it is configured, otherwise the sandbox bank.
 * @throws Error in one sentence when the provider cannot be used
 */
export async function openPayments({ stripe, ...options }: Options): Promise<Payments> {
  if (!stripe) return { path: "/api/sandbox", ...createSandboxBank(options) };
  const { openStripe } = await import("./stripe");
  const { db, clock, log, siteTitle } = options;
  const opened = await openStripe({ db, clock, log, siteTitle, stripe });
  return { path: "/api/stripe", ...opened };
}
