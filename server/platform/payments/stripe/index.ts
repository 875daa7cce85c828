import type { Clock } from "../../ports/clock";
import type { Log } from "../../ports/log";
import type { NotificationListener, PaymentGateway } from "../../ports/payment-gateway";
import { charge } from "./charge";
import { checkKey, stripeClient, type StripeOptions } from "./client";
import { statusOf } from "./lookup";
import { closePage, createPage } from "./page";
import { refund } from "./refund";
import { webhookPages } from "./webhook";
import type { World } from "./world";

type Options = { clock: Clock; log: Log; stripe: StripeOptions };

/**
 * Stripe: the person pays on its hosted page, so no card number ever reaches the site.
 * @throws Error in one sentence when the key does not open Stripe
 */
export async function openStripe({ clock, log, stripe: options }: Options) {
  const stripe = stripeClient(options);
  await checkKey(stripe);
  let listener: NotificationListener | undefined;
  const notify: NotificationListener = async (...notification) => listener?.(...notification);
  const world: World = { stripe, clock, log, notify };
  const gateway: PaymentGateway = {
    createPaymentPage: (request) => createPage(world, request),
    closePaymentPage: (reference) => closePage(world, reference),
    charge: (request) => charge(world, request),
    refund: (request) => refund(world, request),
    status: (payment) => statusOf(world, payment),
    onNotification(newListener) {
      listener = newListener;
    },
  };
  return { gateway, pages: webhookPages(world, options.webhookSecret) };
}
