import type { Formula, Subscription } from "~/contract/subscriptions";
import { found, mapResult, NONE, type ReadResult } from "./read-result";
import type { Visit } from "~/session/visit.server";

/** `formula`: null where the subscription tells all that a page shows of it. */
export type Subscribed = { subscription: Subscription; formula: Formula | null };

export async function findSubscription(visit: Visit): Promise<ReadResult<Subscription>> {
  return mapResult(await visit.find("getSubscription", {}), ({ payload }) => payload);
}

/**
 * The subscription, for a page that shows its name and period. An API may leave them to the formula: only
 * then is it read.
 */
export async function findSubscribed(visit: Visit): Promise<ReadResult<Subscribed>> {
  const result = await findSubscription(visit);
  if (result.kind !== "found") return result;
  const subscription = result.value;
  const { formula: uid, formulaName, period } = subscription;
  const isComplete = formulaName !== undefined && period !== undefined;
  if (uid === undefined || isComplete) return found({ subscription, formula: null });
  const formula = await findFormula(visit, uid);
  if (formula.kind === "failed") return formula;
  return found({ subscription, formula: formula.kind === "found" ? formula.value : null });
}

async function findFormula(visit: Visit, uid: string): Promise<ReadResult<Formula>> {
  return mapResult(await visit.find("getFormula", { params: { uid } }), ({ payload }) => payload);
}

/** The subscription of a signed-in visitor whom it gives no access. */
export async function findClosedContract(visit: Visit): Promise<ReadResult<Subscription>> {
  if (!visit.session.claims() || visit.session.hasRole("vip")) return NONE;
  return findSubscription(visit);
}

export async function findEndedContract(visit: Visit): Promise<ReadResult<EndedContract>> {
  return onlyEnded(await findClosedContract(visit));
}

/**
 * The visitor's subscription, if it was stopped or withdrawn from and has ended. Its account waits for
 * deletion and cannot pay any more: only a new registration can.
 */
export function onlyEnded(result: ReadResult<Subscription>): ReadResult<EndedContract> {
  if (result.kind !== "found") return result;
  const subscription = result.value;
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

/** Whether the renewal can be paid on a page now: the debit failed, or the card expires. */
export const isPayable = ({ session }: Visit, { dueReason }: Subscription): boolean =>
  session.hasRole("vip") && dueReason !== undefined;

/** Whether the visitor has a subscription that needs no payment now. */
export async function owesNothing(visit: Visit): Promise<boolean> {
  if (!visit.session.hasRole("vip")) return false;
  const read = await findSubscription(visit);
  return read.kind === "none" || (read.kind === "found" && !isPayable(visit, read.value));
}
