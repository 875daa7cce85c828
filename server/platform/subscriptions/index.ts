import type { Database } from "../database/tables";
import type { Handlers } from "../http/types";
import type { Workers } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import type { PaymentGateway } from "../ports/payment-gateway";
import { calendarOf } from "../offers/periods";
import { subscriptionHandlers } from "./handlers";
import { followReversal, forgetRemovedCard } from "./reversals";
import { chargingWorkers, lifeWorkers } from "./workers";
import { RECONCILIATION, reconcileInBackground } from "./reconciliation";
import { decidePayment } from "./settlement";
import type { PeopleWorld, World } from "./world";

type Options = {
  db: Database;
  clock: Clock;
  log: Log;
  payments: { gateway: PaymentGateway };
  /** Between payment and the role `vip`. */
  activationDelaySeconds: number;
  /** How long a day of a subscription lasts, where it is not a day. */
  daySeconds: number | undefined;
  site: World["site"];
  subjects: PeopleWorld["subjects"];
};

/** Who pays for what, and what became of each payment. */
export function subscriptionsOf({ payments, daySeconds, ...options }: Options): {
  handlers: Handlers;
  workers: Workers;
  /** Work that waits for the payment provider. */
  chargingWorkers: Workers;
  /** For the resources that change subscriptions by its rules. */
  world: PeopleWorld;
} {
  const world: PeopleWorld = {
    ...options,
    gateway: payments.gateway,
    calendar: calendarOf(daySeconds),
  };
  world.gateway.onNotification((paymentUid, decision) =>
    decidePayment(world, paymentUid, decision),
  );
  world.gateway.onReversal((paymentUid) => followReversal(world, paymentUid));
  world.gateway.onCardRemoved((removed) => forgetRemovedCard(world, removed));
  return {
    world,
    handlers: subscriptionHandlers(world),
    workers: lifeWorkers(world),
    chargingWorkers: {
      [RECONCILIATION]: (payload) => reconcileInBackground(world, payload),
      ...chargingWorkers(world),
    },
  };
}
