import type { Submission } from "@conform-to/react";
import { findChangedOffer, refusedChanges, type CheckedOffer } from "~/api/offer.server";
import { paymentInTheWay, createPaymentLink } from "~/api/payment.server";
import type { Visit } from "~/session/visit.server";
import { failureErrors } from "./failures.server";
import { refuseOrder } from "./offer.server";

/**
 * Sends the browser to the bank's page for the offer that the form showed. If the page cannot be
 * opened, the reply names the account, because this post may have created it.
 * @throws Response redirect to the login page when the session was ended on another device
 */
export async function goToBank<T>(
  visit: Visit,
  submission: Submission<T, string[]>,
  checked: CheckedOffer,
) {
  const accountEmail = visit.session.claims()?.identifier ?? null;
  const refusal = { journey: "paymentLink", more: { accountEmail } } as const;
  if (submission.status === "error" || checked.kind !== "same") {
    return refuseOrder(visit, submission, checked, refusal);
  }
  const link = await createPaymentLink(visit, checked);
  if (link.ok) return visit.redirect(link.url, { status: 303 });
  const changes = refusedChanges(link.error);
  if (changes.length > 0) {
    const changed = await findChangedOffer(visit, checked.order, changes);
    return refuseOrder(visit, submission, changed, refusal);
  }
  if (link.error.kind === "unauthorized") return visit.throwToLogin();
  const decided = link.error.kind === "conflict" ? await paymentInTheWay(visit) : null;
  if (decided) return visit.redirect(decided, { status: 303 });
  const errors = failureErrors("paymentLink", link.error);
  return refuseOrder(visit, submission, checked, { ...refusal, errors });
}
