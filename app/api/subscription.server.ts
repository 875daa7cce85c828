import type { Formula, Subscription } from "~/contract/subscriptions";
import { found, mapResult, NONE, type ReadResult } from "./read-result";
import type { Visit } from "~/session/visit.server";

export type Subscribed = { subscription: Subscription; formula: Formula | null };

/** The visitor's subscription and its formula. */
export async function findSubscription(visit: Visit): Promise<ReadResult<Subscribed>> {
  const result = await visit.find("getSubscription", {});
  if (result.kind !== "found") return result;
  const subscription = result.value.payload;
  if (!subscription.formula) return found({ subscription, formula: null });
  const formula = await findFormula(visit, subscription.formula);
  if (formula.kind === "failed") return formula;
  return found({ subscription, formula: formula.kind === "found" ? formula.value : null });
}

export async function findFormula(visit: Visit, uid: string): Promise<ReadResult<Formula>> {
  return mapResult(await visit.find("getFormula", { params: { uid } }), ({ payload }) => payload);
}

/**
 * The visitor's subscription, if it was stopped or withdrawn from and has ended. Its account waits for
 * deletion and cannot pay any more: only a new registration can.
 */
export async function findEndedContract(visit: Visit): Promise<ReadResult<EndedContract>> {
  if (!visit.session.claims() || visit.session.hasRole("vip")) return NONE;
  const result = await visit.find("getSubscription", {});
  if (result.kind !== "found") return result;
  const subscription = result.value.payload;
  return isEnded(subscription)
    ? found({ endedDateTime: subscription.endedDateTime, subscription })
    : NONE;
}

/** Whether the contract is over for good: one that ended unpaid can be bought again with its account. */
export const isEnded = (
  subscription: Subscription,
): subscription is Subscription & { endedDateTime: string } =>
  subscription.cancelledDateTime !== null && subscription.endedDateTime !== null;

type EndedContract = { endedDateTime: string; subscription: Subscription };

/** The subscription, if its renewal can be paid now: the debit failed, or the card expires. */
export async function findPayableSubscription(visit: Visit): Promise<ReadResult<Subscribed>> {
  if (!visit.session.hasRole("vip")) return NONE;
  const result = await findSubscription(visit);
  return result.kind === "found" && result.value.subscription.dueReason === undefined
    ? NONE
    : result;
}

/** Whether the visitor has a subscription that needs no payment now. */
export async function owesNothing(visit: Visit): Promise<boolean> {
  return visit.session.hasRole("vip") && (await findPayableSubscription(visit)).kind === "none";
}
