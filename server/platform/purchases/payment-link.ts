import type { z } from "zod/v4";
import type { paymentLinkRequest } from "../../../app/contract/subscriptions";
import type { Principal } from "../http/types";
import { limitPaymentPages } from "../limits/provider-calls";
import { newUid } from "../ports/ids";
import { beginPayment } from "./begin-payment";
import { closeEarlierPayment, MAX_CLOSED_PAGES, concurrentPayment } from "./earlier-payment";
import { readIntent, type Intent } from "./intent";
import { orderOf } from "./order";
import type { PaymentContext } from "../subscriptions/context";

/** Who asks for the bank's page. */
export type PageCaller = { principal: Principal; clientAddress: string | null };

/**
 * Creates or finds the bank's page for an intent and returns its URL.
 * @throws Refusal 400 on `formula`, `trafficToken` or `offer`, 409 when subscribed or while the
 *   bank decides, 429 after too many requests
 */
export async function createPaymentLink(
  context: PaymentContext,
  caller: PageCaller & { origin: string },
  request: z.infer<typeof paymentLinkRequest>,
): Promise<string> {
  const { principal, origin } = caller;
  return findOrOpenPage(context, caller, await readIntent(context, principal, request, origin));
}

/**
 * Finds the open page of the same intent, or opens a new one after closing the page of another
 * intent, so that a person can never pay twice.
 */
export async function findOrOpenPage(
  context: PaymentContext,
  { principal, clientAddress }: PageCaller,
  intent: Intent,
) {
  await limitPaymentPages(context, { accountUid: principal.uid, from: clientAddress });
  for (let turn = 0; turn < MAX_CLOSED_PAGES; turn++) {
    const open = await closeEarlierPayment(context, principal.uid, intent, intent.digest);
    const url = open ?? (await openPage(context, principal, intent));
    if (url) return url;
  }
  throw concurrentPayment();
}

/**
 * Creates the page before its payment: a page with an unknown URL cannot be paid, but a payment
 * without a page could not be closed. Null when another payment was first.
 */
async function openPage(
  context: PaymentContext,
  principal: Principal,
  intent: Intent,
): Promise<string | null> {
  const uid = newUid();
  const now = context.clock.now();
  const merchant = context.site.statementDescriptor;
  const order = orderOf(principal, { ...intent, merchant }, uid);
  const { reference, url } = await context.gateway.createPaymentPage(order);
  const orderButton = context.gateway.orderButton ?? null;
  const payment = { uid, accountUid: principal.uid, intent, now, orderButton } as const;
  if (await beginPayment(context, { ...payment, status: "open", reference })) return url;
  await context.gateway.closePaymentPage(reference);
  return null;
}
