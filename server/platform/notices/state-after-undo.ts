import type { Undoing, UndoPreview } from "../../../app/contract/notices";
import { isOnHold } from "../subscriptions/lookup";
import type { SubscriptionRow } from "../database/subscription-row";
import { findHeldEnd } from "../subscriptions/written-end";
import { plannedEndBy } from "./announced-changes";
import { isStopOf } from "./cancellation";
import { findOpenNotices, type Notice } from "./store";
import type { SubscriptionContext } from "../subscriptions/context";

export const ENDED = { status: "ended" } as const;

type State = Pick<UndoPreview, "status" | "holdUntilDateTime" | "renewalAmount">;

/** What has become of the contract. While it is on hold it may still go on, and be charged then. */
export async function stateOf(
  context: SubscriptionContext,
  kind: Notice["kind"],
  subscription: SubscriptionRow,
): Promise<State> {
  if (!(await mayResume(context, subscription))) {
    return { status: await statusOf(context, kind, subscription) };
  }
  const { until, renewal } = await holdOf(context, subscription);
  return renewal === null
    ? { status: "stopped" }
    : { status: "onHold", holdUntilDateTime: until, renewalAmount: renewal };
}

/**
 * The status after undoing; the contract may have been stopped for another reason, or be over. A contract
 * that is over stays stopped by another notice as long as undoing that one could open it again.
 */
async function statusOf(
  { db, clock }: SubscriptionContext,
  kind: Notice["kind"],
  subscription: SubscriptionRow,
): Promise<Undoing["status"]> {
  const { uid, ended_at, ended_by_payment, cancelled_at } = subscription;
  if (kind === "cancellation" && ended_by_payment !== null) return "ended";
  if (!ended_at) return cancelled_at ? "stopped" : "undone";
  if (kind === "withdrawal") return "over";
  const open = await findOpenNotices(db, uid, clock.now());
  return open.some(({ stops_at }) => isStopOf(subscription, stops_at)) ? "stopped" : "ended";
}

/** Whether the money of a contract on hold may open it again: its person has not written to end it meanwhile. */
export async function mayResume({ db, clock }: SubscriptionContext, subscription: SubscriptionRow) {
  if (!isOnHold(subscription, clock.now())) return false;
  return (await findHeldEnd(db, subscription.uid)) === null;
}

/** A contract on hold is renewed if its money returns in time, unless another notice stops it by then. */
export async function holdOf(
  { db, clock, calendar }: SubscriptionContext,
  subscription: SubscriptionRow,
) {
  const { uid, amount, expires_at, cancelled_at } = subscription;
  const open = await findOpenNotices(db, uid, clock.now());
  const planned = plannedEndBy(open, { ...subscription, ended_at: null }, calendar);
  const isStopped = cancelled_at !== null || (planned !== undefined && planned <= expires_at);
  return { until: expires_at, renewal: isStopped ? null : amount };
}

/** The end that another notice plans for a contract that goes on. */
export async function plannedEndOf(
  { db, clock, calendar }: SubscriptionContext,
  subscription: SubscriptionRow,
) {
  const open = await findOpenNotices(db, subscription.uid, clock.now());
  const end = plannedEndBy(open, subscription, calendar);
  return end && { plannedEndDateTime: end };
}

/** The end that the undone notices had planned for a contract that was not stopped yet. */
export function liftedEndOf(
  { calendar }: SubscriptionContext,
  undone: readonly Notice[],
  before: SubscriptionRow,
) {
  const end = plannedEndBy(undone, before, calendar);
  return end && { liftedEndDateTime: end };
}
