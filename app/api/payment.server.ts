import type { Payment } from "~/contract/subscriptions";
import type { Visit } from "~/session/enter.server";
import type { ExpectedError } from "./errors";

/** What really happened with the visitor's last payment, whatever the address says. */
export type PaymentState =
  | { kind: "none" }
  | { kind: "pending" }
  | { kind: "success" }
  | { kind: "failure"; code: string | undefined };

export async function paymentState(visit: Visit): Promise<PaymentState> {
  if (!visit.session.claims()) return { kind: "none" };
  const outcome = await visit.attempt("getLastPayment", {});
  const state: PaymentState = outcome.ok ? stateOf(outcome.value.payload) : { kind: "none" };
  remember(visit, state);
  return state;
}

type Link = { ok: true; url: string } | { ok: false; error: ExpectedError };

/** Opens the bank's page for this formula; the same intent gives the same page. */
export async function paymentLink(
  { attempt }: Visit,
  formula: string,
  trafficToken?: string,
): Promise<Link> {
  const body = { formula, ...(trafficToken && { trafficToken }) };
  const outcome = await attempt("createPaymentLink", { body });
  return outcome.ok ? { ok: true, url: outcome.value.payload.url } : outcome;
}

function stateOf({ status, error }: Payment): PaymentState {
  if (status === "Success") return { kind: "success" };
  return status === "Pending" ? { kind: "pending" } : { kind: "failure", code: error?.code };
}

/** The result is kept as 1 or 0 as the specification's browser storage does. */
function remember({ session }: Visit, { kind }: PaymentState) {
  const paymentResult = kind === "success" ? "1" : kind === "failure" ? "0" : undefined;
  if (session.data.paymentResult !== paymentResult) session.set({ paymentResult });
}
