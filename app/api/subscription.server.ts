import type { Formula, Subscription } from "~/contract/subscriptions";
import type { Visit } from "~/session/enter.server";
import { findFormula } from "./formula.server";

export type Subscribed = { subscription: Subscription; formula: Formula | null };

/** The visitor's subscription and what it is sold as; null without one. */
export async function findSubscription(visit: Visit): Promise<Subscribed | null> {
  const outcome = await visit.attempt("getSubscription", {});
  if (!outcome.ok) return null;
  const subscription = outcome.value.payload;
  const formula = subscription.formula ? await findFormula(visit, subscription.formula) : null;
  return { subscription, formula };
}

/** Whether there is something to pay: no subscription, or one whose renewal was declined. */
export async function owesPayment(visit: Visit): Promise<boolean> {
  if (!visit.session.hasRole("vip")) return true;
  const subscribed = await findSubscription(visit);
  return subscribed?.subscription.graceDateTime !== undefined;
}
