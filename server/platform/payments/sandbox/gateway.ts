import type {
  PaymentDecision,
  PaymentGateway,
  PaymentName,
  PaymentPage,
  PaymentPageRequest,
  PaymentState,
} from "../../ports/payment-gateway";
import { findAddress } from "./address";
import { authorize } from "./authorization";
import { closePage, expireIfDue } from "./bank";
import { charge } from "./charges";
import { decisionOf } from "./decision";
import { openPage } from "./opening";
import { refund, reversalsOf } from "./refunds";
import { findPayment, type Page } from "./store";
import type { World } from "./world";

/** The bank's side of the port; notifications are wired where the bank is put together. */
export function sandboxGateway(
  world: World,
  carry: <T>(call: () => Promise<T>) => Promise<T>,
): Omit<PaymentGateway, "onNotification" | "onReversal" | "onCardRemoved"> {
  return {
    createPaymentPage: (request) => carry(() => createPage(world, request)),
    closePaymentPage: (reference) => carry(() => close(world, reference)),
    authorize: (request) => carry(() => authorize(world, request)),
    charge: (request) => carry(async () => decided(await charge(world, request))),
    refund: (request) => carry(() => refund(world, request)),
    status: (payment) => carry(() => statusOf(world, payment)),
    reversals: (payment) => carry(() => reversalsOf(world, payment)),
  };
}

async function createPage(world: World, request: PaymentPageRequest): Promise<PaymentPage> {
  const { page } = await openPage(world, request);
  const url = findAddress(world.keys, page);
  if (!url) throw new Error("The key of this payment page is no longer in use");
  return { reference: page.uid, url };
}

async function statusOf(world: World, payment: PaymentName): Promise<PaymentState> {
  const found = await findPayment(world.db, payment);
  if (!found) return { status: "unknown" };
  const page = await expireIfDue(world, found);
  const decision = decisionOf(page);
  if (decision) return decision;
  const url = findAddress(world.keys, page);
  return url ? { status: "open", url, reference: page.uid } : close(world, page.uid);
}

async function close(world: World, reference: string): Promise<PaymentDecision> {
  return decided(await closePage(world, reference));
}

function decided(page: Page): PaymentDecision {
  const decision = decisionOf(page);
  if (!decision) throw new Error("A closed or charged page is decided");
  return decision;
}
