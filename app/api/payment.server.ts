import type { Payment } from "~/contract/subscriptions";
import type { Visit } from "~/session/enter.server";
import type { ExpectedError } from "./errors";
import type { Bought } from "./offer.server";
import { findSubscription } from "./subscription.server";

/** What really happened with the visitor's last payment, whatever the address says. */
export type PaymentState =
  | { kind: "none" }
  /** Begun in this browser by somebody whose session has ended: who signs in again is told. */
  | { kind: "unknown" }
  /** The bank's page stands open: nobody has paid on it yet. */
  | { kind: "unpaid"; bought: Tried }
  | { kind: "pending" }
  | { kind: "success" }
  /** Paid once, but what was paid for has ended since. */
  | { kind: "over" }
  | { kind: "failure"; code: string | undefined; bought: Tried };

/** What the payment was to buy. */
type Tried = { formula: string; trafficToken?: string };

export async function paymentState(visit: Visit): Promise<PaymentState> {
  const { session } = visit;
  const outcome = session.claims() ? await visit.attempt("getLastPayment", {}) : null;
  // The call may have told that the session has ended elsewhere.
  if (!session.claims()) return { kind: hasBegun(session) ? "unknown" : "none" };
  const state: PaymentState = outcome?.ok ? stateOf(outcome.value.payload) : { kind: "none" };
  remember(visit, state);
  return state.kind === "success" && (await hasEnded(visit)) ? { kind: "over" } : state;
}

type Link = { ok: true; url: string } | { ok: false; error: ExpectedError };

/** Opens the bank's page for what the form showed; the same intent gives the same page. */
export async function paymentLink(visit: Visit, { offer, order }: Bought): Promise<Link> {
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

/** Without a subscription yet, access is on its way. */
async function hasEnded(visit: Visit): Promise<boolean> {
  if (visit.session.hasRole("vip")) return false;
  const subscribed = await findSubscription(visit);
  return Boolean(subscribed?.subscription.endedDateTime);
}

/** The formula is kept with each page that was opened at the bank, and goes with signing out. */
const hasBegun = ({ data }: Visit["session"]) => data.formula !== undefined;

function stateOf({ status, awaiting, error, formula, trafficToken }: Payment): PaymentState {
  const bought = { formula, ...(trafficToken !== undefined && { trafficToken }) };
  if (status === "Success") return { kind: "success" };
  if (status === "Failure") return { kind: "failure", code: error?.code, bought };
  return awaiting === "payer" ? { kind: "unpaid", bought } : { kind: "pending" };
}

/** The result is kept as 1 or 0. */
function remember({ session }: Visit, { kind }: PaymentState) {
  const paymentResult = kind === "success" ? "1" : kind === "failure" ? "0" : undefined;
  if (session.data.paymentResult !== paymentResult) session.set({ paymentResult });
}
