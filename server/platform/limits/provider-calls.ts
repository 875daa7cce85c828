import { subjectOf, widerNetworkOf } from "../../../app/contract/client-address";
import type { Database } from "../database/tables";
import type { Clock } from "../ports/clock";
import type { PaymentGateway } from "../ports/payment-gateway";
import { limit, limitAddress, LimitExceeded } from "./limit";
import {
  PAYMENT_PAGES_OF_ACCOUNT,
  PAYMENT_PAGES_OF_ADDRESS,
  PAYMENT_READS_OF_ACCOUNT,
  PAYMENT_READS_OF_ADDRESS,
  PAYMENT_READS_OF_ALL,
  PAYMENT_READS_OF_NETWORK,
} from "./rules";

type CallContext = { db: Database; clock: Clock };

/** Who makes the site ask the payment provider: an account, and the address of its visitor. */
export type ProviderCaller = { accountUid: string; from: string | null };

/** @throws Refusal 429 after too many requests for the bank's page */
export async function limitPaymentPages({ db, clock }: CallContext, caller: ProviderCaller) {
  await limit(db, clock, PAYMENT_PAGES_OF_ACCOUNT, caller.accountUid);
  await limitAddress(db, clock, PAYMENT_PAGES_OF_ADDRESS, caller.from);
}

/** Counts a read of an undecided payment; false when the provider is not to be asked about it now. */
export async function mayReadPayment(
  { db, clock, gateway }: CallContext & { gateway: PaymentGateway },
  { accountUid, from }: ProviderCaller,
): Promise<boolean> {
  try {
    await limit(db, clock, PAYMENT_READS_OF_ACCOUNT, accountUid);
    await limitAddress(db, clock, PAYMENT_READS_OF_ADDRESS, from);
    if (!gateway.limitsRequests) return true;
    const network = from === null ? null : widerNetworkOf(subjectOf(from));
    if (network !== null) await limit(db, clock, PAYMENT_READS_OF_NETWORK, network);
    await limit(db, clock, PAYMENT_READS_OF_ALL, "");
    return true;
  } catch (error) {
    if (error instanceof LimitExceeded) return false;
    throw error;
  }
}
