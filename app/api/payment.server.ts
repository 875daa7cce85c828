import type { Payment } from "~/contract/subscriptions";
import type { Visit } from "~/session/enter.server";
import type { Failure } from "./errors";
import { NONE } from "./found";
import { chosenFormula } from "./formula.server";

/** What really happened with the visitor's last payment, whatever the address says. */
export type PaymentState =
  | { kind: "none" }
  /** The API could not tell: it may be paid. */
  | { kind: "failed" }
  /** Begun in this browser by somebody whose session has ended: who signs in again is told. */
  | { kind: "unknown" }
  /** The bank's page stands open: nobody has paid on it yet. */
  | { kind: "unpaid" }
  | { kind: "pending" }
  | { kind: "success" }
  | { kind: "failure"; code: string | undefined };

export async function paymentState(visit: Visit): Promise<PaymentState> {
  const { session } = visit;
  const isKnown = session.claims() !== null;
  const read = isKnown ? await visit.find("getLastPayment", {}) : NONE;
  // The call may have told that the session has ended elsewhere.
  if (!session.claims()) return { kind: isKnown || hasBegun(session) ? "unknown" : "none" };
  if (read.kind === "failed") return read;
  const state: PaymentState = read.kind === "found" ? stateOf(read.value.payload) : NONE;
  remember(visit, state);
  return state;
}

/** `unread`: what there is to pay could not be read, and nothing was asked for. */
type Link = { ok: true; url: string } | { ok: false; error: Failure | "unread" };

/** Opens the bank's page for what the visitor chose; the same intent gives the same page. */
export async function paymentLink(visit: Visit): Promise<Link> {
  const chosen = await chosenFormula(visit);
  if (chosen.kind === "failed") return { ok: false, error: "unread" };
  const { formulaUid: formula, trafficToken } = chosen.value;
  const { affiliation } = visit.session.data;
  visit.session.set({ formula });
  const body = {
    formula,
    ...(trafficToken && { trafficToken }),
    ...(affiliation && { affiliation }),
  };
  const outcome = await visit.attempt("createPaymentLink", { body });
  return outcome.ok ? { ok: true, url: outcome.value.payload.url } : outcome;
}

/** The formula is kept with each page that was opened at the bank, and goes with signing out. */
const hasBegun = ({ data }: Visit["session"]) => data.formula !== undefined;

function stateOf({ status, awaiting, error }: Payment): PaymentState {
  if (status === "Success") return { kind: "success" };
  if (status === "Failure") return { kind: "failure", code: error?.code };
  return { kind: awaiting === "payer" ? "unpaid" : "pending" };
}

/** The result is kept as 1 or 0. */
function remember({ session }: Visit, { kind }: PaymentState) {
  const paymentResult = kind === "success" ? "1" : kind === "failure" ? "0" : undefined;
  if (session.data.paymentResult !== paymentResult) session.set({ paymentResult });
}
