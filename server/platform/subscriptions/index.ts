import type { Context } from "../database/context";
import type { Handlers } from "../http/types";
import type { Workers } from "../jobs/runner";
import type { TimedMails } from "../mail/sending";
import type { PaymentGateway } from "../ports/payment-gateway";
import { calendarOf } from "../../../app/contract/periods";
import { subscriptionHandlers } from "./handlers";
import { clearRemovedCard } from "./removed-card";
import { applyReversal } from "./reversals";
import { chargingWorkers, subscriptionWorkers } from "./workers";
import { RECONCILIATION, reconcileInBackground } from "./reconciliation";
import { recordDecision } from "./settlement";
import { createTermsMails } from "./terms-mail";
import type { PaymentContext } from "./context";

type Options = Context & {
  payments: { gateway: PaymentGateway };
  /** Seconds between payment and the role `vip`. */
  activationDelaySeconds: number;
  /** Length of a subscription's day in seconds, when it is not a real day. */
  daySeconds: number | undefined;
  subjects: PaymentContext["subjects"];
};

/** Subscriptions and the effects of their payments. */
export function createSubscriptions({ payments, daySeconds, ...options }: Options): {
  handlers: Handlers;
  workers: Workers;
  /** Jobs that call the payment provider. */
  chargingWorkers: Workers;
  /** Jobs that ask it about undecided payments. */
  askingWorkers: Workers;
  timedMails: TimedMails;
  /** For resources that change subscriptions. */
  context: PaymentContext;
} {
  const context: PaymentContext = {
    ...options,
    gateway: payments.gateway,
    calendar: calendarOf(daySeconds),
  };
  context.gateway.onNotification((paymentUid, decision) =>
    recordDecision(context, paymentUid, decision),
  );
  context.gateway.onReversal((paymentUid) => applyReversal(context, paymentUid));
  context.gateway.onCardRemoved((removed) => clearRemovedCard(context, removed));
  return {
    context,
    handlers: subscriptionHandlers(context),
    workers: subscriptionWorkers(context),
    chargingWorkers: chargingWorkers(context),
    askingWorkers: {
      [RECONCILIATION]: (payload) => reconcileInBackground(context, payload),
    },
    timedMails: createTermsMails(context),
  };
}
