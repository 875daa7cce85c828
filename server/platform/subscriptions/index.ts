import type { Database } from "../database/tables";
import type { Handlers } from "../http/types";
import type { Workers } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import type { PaymentGateway } from "../ports/payment-gateway";
import { subscriptionHandlers } from "./handlers";
import { RECONCILIATION, reconcileInBackground } from "./reconciliation";
import { decidePayment } from "./settlement";

export { seedSubscriptions } from "./seed";

type Options = {
  db: Database;
  clock: Clock;
  payments: { gateway: PaymentGateway };
  /** Between payment and the role `vip`. */
  activationDelaySeconds: number;
};

/** What is sold, who bought it, and what became of each payment. */
export function subscriptionsOf({ db, clock, payments, activationDelaySeconds }: Options): {
  handlers: Handlers;
  workers: Workers;
} {
  const world = { db, clock, gateway: payments.gateway, activationDelaySeconds };
  world.gateway.onNotification((paymentUid, decision) =>
    decidePayment(world, paymentUid, decision),
  );
  return {
    handlers: subscriptionHandlers(world),
    workers: { [RECONCILIATION]: (payload) => reconcileInBackground(world, payload) },
  };
}
