import type { PaymentDecision, PaymentGateway, PaymentState } from "../../ports/payment-gateway";
import { addressOf, hashSecret, secretOf } from "./address";
import { closePage, createPage, expireIfDue } from "./bank";
import { decisionOf } from "./decision";
import { findPage, type Page } from "./store";
import type { World } from "./world";

/** The bank's side of the port; notifications are wired where the bank is put together. */
export function sandboxGateway(world: World): Omit<PaymentGateway, "onNotification"> {
  return {
    createPaymentPage: (request) => createPage(world, request),
    closePaymentPage: (reference) => close(world, reference),
    status: (reference) => statusOf(world, reference),
  };
}

async function statusOf(world: World, reference: string): Promise<PaymentState> {
  const page = await expireIfDue(world, await findPage(world.db, reference));
  const decision = decisionOf(page);
  if (decision) return decision;
  const url = findAddress(world.keys, page);
  return url ? { status: "open", url } : close(world, reference);
}

async function close(world: World, reference: string): Promise<PaymentDecision> {
  const decision = decisionOf(await closePage(world, reference));
  if (!decision) throw new Error("A closed page is decided");
  return decision;
}

/** Null when the key that made the address is no longer in use. */
function findAddress(keys: World["keys"], page: Page): string | null {
  const secrets = keys.map((key) => secretOf(key, page.uid));
  const secret = secrets.find((candidate) => hashSecret(candidate) === page.secret_hash);
  return secret ? addressOf(secret, page.return_url) : null;
}
