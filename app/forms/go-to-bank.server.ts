import type { Submission } from "@conform-to/react";
import { paymentLink } from "~/api/payment.server";
import type { Visit } from "~/session/enter.server";
import { failureErrors, unreadErrors } from "./failures.server";
import { refuse } from "./refuse.server";

/**
 * Sends the browser to the bank's page. When that cannot be opened the account stays: the reply tells
 * whose, for it may have been made by this very post.
 * @throws Response to the login page when the session has ended elsewhere
 */
export async function goToBank<T>(visit: Visit, submission: Submission<T, string[]>) {
  const member = visit.session.claims()?.identifier ?? null;
  if (submission.status === "error") return refuse(visit, submission, {}, { member });
  const link = await paymentLink(visit);
  if (link.ok) return visit.redirect(link.url, { status: 303 });
  const { error } = link;
  if (error === "unread") return refuse(visit, submission, unreadErrors(), { member });
  if (error.kind === "unauthorized") return visit.leaveSignedOut();
  return refuse(visit, submission, failureErrors("paymentLink", error), { member });
}
