import type { Payment } from "../../../app/contract/subscriptions";
import { mayReadPayment, type ProviderCaller } from "../limits/provider-calls";
import { findNewestPayment, isUnsettled } from "../subscriptions/payments";
import { refreshPayment } from "../subscriptions/reconciliation";
import type { PaymentContext } from "../subscriptions/context";

type Row = NonNullable<Awaited<ReturnType<typeof findNewestPayment>>>;

/**
 * Shown when the bank does not answer, or is asked too often: a person who may just have paid must not be asked to pay
 * (R-11.3).
 */
const UNKNOWN = { status: "Pending", awaiting: "bank" } as const;

type State = Pick<Payment, "status" | "awaiting" | "error">;

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
  const isUnknown = asked === null && isUnsettled(payment);
  return {
    ...(isUnknown ? UNKNOWN : stateOf(payment)),
    formula: payment.formula_uid,
    ...(payment.traffic_token !== null && { trafficToken: payment.traffic_token }),
    amount: payment.amount,
    date: payment.settled_at ?? payment.created_at,
    ...(payment.kind === "renewal" && { isRenewal: true }),
  };
}

function stateOf({ status, error_code, error_message }: Row): State {
  switch (status) {
    case "open":
      return { status: "Pending", awaiting: "payer" };
    case "pending":
      return { status: "Pending", awaiting: "bank" };
    case "success":
      return { status: "Success" };
    case "failure":
    case "cancelled":
      return {
        status: "Failure",
        error: { message: error_message ?? status, ...(error_code && { code: error_code }) },
      };
  }
}
