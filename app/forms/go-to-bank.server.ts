import type { Submission } from "@conform-to/react";
import { paymentLink } from "~/api/payment.server";
import type { Visit } from "~/session/enter.server";
import { failureErrors } from "./failures.server";
import { refuse } from "./refuse.server";

/** Sends the browser to the bank's page; the account stays when the page cannot be opened. */
export async function goToBank<T>(visit: Visit, submission: Submission<T, string[]>) {
  const link = await paymentLink(visit);
  if (link.ok) return visit.redirect(link.url, { status: 303 });
  return refuse(visit, submission, failureErrors("paymentLink", link.error));
}
