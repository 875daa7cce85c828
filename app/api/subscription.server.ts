import type { Formula, Subscription } from "~/contract/subscriptions";
import type { Visit } from "~/session/enter.server";

export type Subscribed = { subscription: Subscription; formula: Formula | null };

/** The visitor's subscription and what it is sold as; null without one. */
export async function findSubscription(visit: Visit): Promise<Subscribed | null> {
  const outcome = await visit.attempt("getSubscription", {});
  if (!outcome.ok) return null;
  const subscription = outcome.value.payload;
  const formula = subscription.formula ? await findFormula(visit, subscription.formula) : null;
  return { subscription, formula };
}

export async function findFormula({ attempt }: Visit, uid: string): Promise<Formula | null> {
  const outcome = await attempt("getFormula", { params: { uid } });
  return outcome.ok ? outcome.value.payload : null;
}

/**
 * The subscription that somebody has stopped or withdrawn from and that is over: their account is
 * about to be deleted and buys nothing any more, a new registration does. Null where there is
 * none.
 */
export async function leftSubscription(visit: Visit): Promise<Subscription | null> {
  if (!visit.session.claims() || visit.session.hasRole("vip")) return null;
  const subscription = (await findSubscription(visit))?.subscription;
  return subscription?.cancelledDateTime && subscription.endedDateTime ? subscription : null;
}

/** The subscription whose renewal a page may pay: it was refused, or its card expires. */
export async function dueSubscription(visit: Visit): Promise<Subscribed | null> {
  if (!visit.session.hasRole("vip")) return null;
  const subscribed = await findSubscription(visit);
  return subscribed?.subscription.dueReason === undefined ? null : subscribed;
}

/** Whether there is something to pay: no subscription, or one that is due. */
export async function owesPayment(visit: Visit): Promise<boolean> {
  return !visit.session.hasRole("vip") || (await dueSubscription(visit)) !== null;
}
