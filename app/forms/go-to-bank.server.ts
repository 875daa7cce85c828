import type { Submission } from "@conform-to/react";
import { paymentLink } from "~/api/payment.server";
import type { Visit } from "~/session/enter.server";
import { failureErrors } from "./failures.server";
import { refuse } from "./refuse.server";

/**
 * Sends the browser to the bank's page. When that cannot be opened the account stays: the reply tells
 * whose, for it may have been made by this very post.
 */
export async function goToBank<T>(visit: Visit, submission: Submission<T, string[]>) {
  const member = visit.session.claims()?.identifier ?? null;
  if (submission.status === "error") return refuse(visit, submission, {}, { member });
  const link = await paymentLink(visit);
  if (link.ok) return visit.redirect(link.url, { status: 303 });
  return refuse(visit, submission, failureErrors("paymentLink", link.error), { member });
}
