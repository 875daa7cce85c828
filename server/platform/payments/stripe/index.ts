import type { Database } from "../../database/tables";
import type { Clock } from "../../ports/clock";
import type { Log } from "../../ports/log";
import type {
  CardListener,
  NotificationListener,
  PaymentGateway,
  ReversalListener,
} from "../../ports/payment-gateway";
import { PAGE_LIMITS } from "../page-limits";
import { charge } from "./charge";
import { stripeClient, type StripeOptions } from "./client";
import { deletePayer, updatePayer } from "./customer";
import { eventWorkers, resumeEvents } from "./events";
import { checkKeyAtStart, keyCheckWorkers, scheduleKeyCheck } from "./key-check";
import { statusOf } from "./lookup";
import { closePage, createPage } from "./page";
import { refund } from "./refund";
import { reversalsOf } from "./reversals";
import { descriptorSuffixOf } from "./statement-descriptor";
import { webhookPages } from "./webhook";
import type { StripeContext } from "./context";

type Options = {
  db: Database;
  clock: Clock;
  log: Log;
  siteTitle: string;
  stripe: StripeOptions;
};

/**
 * Opens the Stripe gateway. People pay on its hosted page, so no card number reaches the site.
 * @throws Error in one sentence when Stripe refuses the key, but not while Stripe is down
 */
export async function openStripe({ db, clock, log, siteTitle, stripe: options }: Options) {
  const listeners: {
    decided?: NotificationListener;
    reversed?: ReversalListener;
    cardRemoved?: CardListener;
  } = {};
  const context: StripeContext = {
    stripe: stripeClient(options),
    db,
    clock,
    log,
    statementDescriptor: descriptorSuffixOf(siteTitle),
    notify: async (...notification) => listeners.decided?.(...notification),
    reversed: async (paymentUid) => listeners.reversed?.(paymentUid),
    cardRemoved: async (removed) => listeners.cardRemoved?.(removed),
  };
  const isChecked = await checkKeyAtStart(context);
  const gateway: PaymentGateway = {
    pageLimits: PAGE_LIMITS.stripe,
    limitsRequests: true,
    refundsMayBounce: true,
    createPaymentPage: (request) => createPage(context, request),
    closePaymentPage: (reference) => closePage(context, reference),
    charge: (request) => charge(context, request),
    refund: (request) => refund(context, request),
    status: (payment) => statusOf(context, payment),
    reversals: (payment) => reversalsOf(context, payment),
    deletePayer: (payer) => deletePayer(context, payer),
    updatePayer: (payer, email) => updatePayer(context, payer, email),
    onNotification(listener) {
      listeners.decided = listener;
    },
    onReversal(listener) {
      listeners.reversed = listener;
    },
    onCardRemoved(listener) {
      listeners.cardRemoved = listener;
    },
  };
  return {
    gateway,
    pages: webhookPages(context, options.webhookSecret),
    workers: { ...eventWorkers(context), ...keyCheckWorkers(context) },
    begin: async () => {
      await (isChecked ? resumeEvents(context) : scheduleKeyCheck(context));
    },
  };
}
