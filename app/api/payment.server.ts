import type { Offer, Payment } from "~/contract/subscriptions";
import { paths } from "~/paths";
import type { Visit } from "~/session/enter.server";
import type { Failure } from "./errors";
import { NONE } from "./found";
import type { Bought } from "./offer.server";
import { findSubscription } from "./subscription.server";

/** What really happened with the visitor's last payment, whatever the address says. */
export type PaymentState =
  | { kind: "none" }
  /** The API could not tell: it may be paid. */
  | { kind: "failed" }
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
  const isKnown = session.claims() !== null;
  const read = isKnown ? await visit.find("getLastPayment", {}) : NONE;
  // The call may have told that the session has ended elsewhere.
  if (!session.claims()) return { kind: isKnown || hasBegun(session) ? "unknown" : "none" };
  if (read.kind === "failed") return read;
  const state: PaymentState = read.kind === "found" ? stateOf(read.value.payload) : NONE;
  remember(visit, state);
  return state.kind === "success" ? checkAccess(visit) : state;
}

/** The page at the bank was left, or stood open too long: no card was refused. */
export const isLeft = (code: string | undefined) => code === "cancelled" || code === "expired";

type Link = { ok: true; url: string } | { ok: false; error: Failure };

/** Opens the bank's page for what the form showed; the same intent gives the same page. */
export async function paymentLink(visit: Visit, { offer, order }: Bought): Promise<Link> {
  visit.session.set({ formula: order.formula });
  leavePartner(visit, offer);
  const body = { ...order, ...(offer.due === null && partnerOf(visit, offer)) };
  const outcome = await visit.attempt("createPaymentLink", { body });
  return outcome.ok ? { ok: true, url: outcome.value.payload.url } : outcome;
}

/**
 * Where somebody goes whose payment was refused as a conflict (409): to the payment that stands in its
 * way, as nobody is to pay again before they know of it. Null when there is none.
 */
export async function paymentInTheWay(visit: Visit): Promise<string | null> {
  const { kind } = await paymentState(visit);
  return IN_THE_WAY.includes(kind) ? paths.paymentCallback() : null;
}

const IN_THE_WAY: readonly PaymentState["kind"][] = ["success", "pending", "failed", "unknown"];

/** A renewal has no partner: the way back from the bank is not that of the partner's funnel either. */
export function leavePartner({ session }: Visit, { due }: Offer) {
  if (due !== null && session.data.cashback) session.set({ cashback: undefined });
}

function partnerOf({ session }: Visit, { creditAmount }: Offer) {
  const { affiliation, cashback } = session.data;
  const isCashback = cashback === true || creditAmount !== undefined;
  return { ...(affiliation && { affiliation }), ...(isCashback && { cashback: true }) };
}

/** Without a subscription yet, access is on its way. */
async function checkAccess(visit: Visit): Promise<PaymentState> {
  if (visit.session.hasRole("vip")) return { kind: "success" };
  const read = await findSubscription(visit);
  if (read.kind === "failed") return read;
  const hasEnded = read.kind === "found" && read.value.subscription.endedDateTime !== null;
  return { kind: hasEnded ? "over" : "success" };
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
