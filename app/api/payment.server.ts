import type { Payment } from "~/contract/subscriptions";
import type { Visit } from "~/session/visit.server";
import type { Failure } from "./errors";
import { NONE } from "./read-result";
import type { Purchase } from "./offer.server";
import { findSubscription } from "./subscription.server";

/** State of the visitor's last payment, read from the API. The address alone proves nothing. */
export type PaymentState =
  | { kind: "none" }
  /** The state could not be read. The payment may have succeeded. */
  | { kind: "failed" }
  /** A payment was begun in this browser, but its session has ended. Signing in shows the state. */
  | { kind: "unknown" }
  /** The bank's page was opened, and nothing was paid on it yet. */
  | { kind: "unpaid"; order: TriedOrder }
  | { kind: "pending" }
  | { kind: "success" }
  /** The payment succeeded, but its subscription has ended since. */
  | { kind: "over" }
  | { kind: "failure"; code: string | undefined; order: TriedOrder };

/** The formula that the payment was made for. */
type TriedOrder = { formula: string; trafficToken?: string };

export async function findPaymentState(visit: Visit): Promise<PaymentState> {
  const { session } = visit;
  const isKnown = session.claims() !== null;
  const result = isKnown ? await visit.find("getLastPayment", {}) : NONE;
  // The call may have disconnected the session, because it was ended on another device.
  if (!session.claims()) return { kind: isKnown || hasBegunPayment(session) ? "unknown" : "none" };
  if (result.kind === "failed") return result;
  const state: PaymentState = result.kind === "found" ? paymentStateOf(result.value.payload) : NONE;
  rememberResult(visit, state);
  return state.kind === "success" ? withAccess(visit) : state;
}

type Link = { ok: true; url: string } | { ok: false; error: Failure };

/** Opens the bank's page for the offer that the form showed. The same order gets the same page. */
export async function createPaymentLink(visit: Visit, { offer, order }: Purchase): Promise<Link> {
  const { affiliation, cashback } = visit.session.data;
  visit.session.set({ formula: order.formula });
  const isCashback = cashback === true || offer.creditAmount !== undefined;
  const body = {
    ...order,
    ...(affiliation && { affiliation }),
    ...(isCashback && { cashback: true }),
  };
  const outcome = await visit.attempt("createPaymentLink", { body });
  return outcome.ok ? { ok: true, url: outcome.value.payload.url } : outcome;
}

/** A success without a subscription means that the access is still being opened. */
async function withAccess(visit: Visit): Promise<PaymentState> {
  if (visit.session.hasRole("vip")) return { kind: "success" };
  const result = await findSubscription(visit);
  if (result.kind === "failed") return result;
  const hasEnded = result.kind === "found" && result.value.subscription.endedDateTime !== null;
  return { kind: hasEnded ? "over" : "success" };
}

/** The session holds a formula since the bank's page was opened, and until signing out. */
const hasBegunPayment = ({ data }: Visit["session"]) => data.formula !== undefined;

function paymentStateOf({ status, awaiting, error, formula, trafficToken }: Payment): PaymentState {
  const order = { formula, ...(trafficToken !== undefined && { trafficToken }) };
  if (status === "Success") return { kind: "success" };
  if (status === "Failure") return { kind: "failure", code: error?.code, order };
  return awaiting === "payer" ? { kind: "unpaid", order } : { kind: "pending" };
}

/** The session stores the result as 1 or 0. */
function rememberResult({ session }: Visit, { kind }: PaymentState) {
  const paymentResult = kind === "success" ? "1" : kind === "failure" ? "0" : undefined;
  if (session.data.paymentResult !== paymentResult) session.set({ paymentResult });
}
