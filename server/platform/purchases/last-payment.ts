import type { Payment } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import { mayReadPayment, type ProviderCaller } from "../limits/provider-calls";
import { readFailure } from "../money/payment-state";
import { findNewestPayment, isUnsettled, type Payment as Stored } from "../money/payments";
import { refreshPayment } from "../subscriptions/reconciliation";
import type { PaymentContext } from "../subscriptions/context";
import { isDelayedDebit } from "../money/undecided-debit";

/**
 * Shown when the bank does not answer, or is asked too often: a person who may just have paid must not be asked to pay
 * (R-11.3).
 */
const UNKNOWN = { status: "Pending", awaiting: "bank" } as const;

type State = Pick<Payment, "status" | "awaiting" | "isDelayed" | "error">;

/**
 * Reads the state of the newest payment and asks the bank when it is undecided. An unpaid page is
 * Pending and awaits its payer, because it may still be paid. It becomes a Failure when it is
 * cancelled or expires.
 */
export async function readLastPayment(
  context: PaymentContext,
  caller: ProviderCaller,
): Promise<Payment | null> {
  const { accountUid } = caller;
  const newest = await findNewestPayment(context.db, accountUid);
  if (!newest) return null;
  const mayAsk = isUnsettled(newest) && (await mayReadPayment(context, caller));
  const asked = mayAsk ? await refreshPayment(context, newest) : null;
  const payment = (await findNewestPayment(context.db, accountUid)) ?? newest;
  return {
    ...(await readState(context.db, payment, asked !== null)),
    formula: payment.formula_uid,
    ...(payment.traffic_token !== null && { trafficToken: payment.traffic_token }),
    amount: payment.amount,
    date: payment.settled_at ?? payment.created_at,
    ...(payment.kind === "renewal" && { isRenewal: true }),
    ...(payment.subscription_uid !== null && { isLaterPeriod: true }),
  };
}

async function readState(db: Database, payment: Stored, isKnown: boolean): Promise<State> {
  const error = await readFailure(db, payment);
  if (error) return { status: "Failure", error };
  if (payment.status === "success") return { status: "Success" };
  if (isDelayedDebit(payment)) return { status: "Pending", isDelayed: true };
  if (!isKnown) return UNKNOWN;
  return { status: "Pending", awaiting: payment.status === "open" ? "payer" : "bank" };
}
