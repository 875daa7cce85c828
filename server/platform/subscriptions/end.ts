import type { Database } from "../database/tables";
import { voidUnearnedCredit } from "./credits";
import { mailOwner } from "../mail/contract-mail";
import { links } from "../mail/links";
import { findReasonToKeep } from "./kept-profile";
import { isUntried, scheduleDeletion } from "./schedule";
import { endOfStopped, findRunning } from "./lookup";
import type { SubscriptionRow } from "../database/subscription-row";
import { updateSubscription } from "./store";
import { readUndecidedAmount, hasBegunRenewal } from "../money/undecided-debit";
import { withdrawableUntil } from "./withdrawal-deadline";
import type { SubscriptionContext } from "./context";

type Ending = {
  at: Date;
  /** Set when the money was returned; otherwise the cause is a stop or an unpaid renewal. */
  cause?: "returned";
  /** Cents of the running period that are given back, as it was renewed without its notice. */
  rest?: number;
  /** Cents that are given back of periods that were renewed after its person wrote to end it. */
  renewed?: number;
};

/**
 * Ends a subscription whose time is over, dated at that time, before its job runs. A new subscription can
 * then begin, and the job finds nothing to do. A subscription whose debit was not attempted yet is kept.
 */
export async function endIfLapsed(context: SubscriptionContext, accountUid: string) {
  const running = await findRunning(context.db, accountUid);
  if (!running || !isPast(context, endOfStopped(running))) return;
  if (await isUntried(context.db, running)) return;
  await endSubscription(context, running, { at: new Date(endOfStopped(running)) });
}

const isPast = ({ clock }: SubscriptionContext, moment: string) =>
  moment <= clock.now().toISOString();

/**
 * Access ends. The profile of a person who wanted to leave is deleted a day later, so that the end can
 * be seen; a person who only could not pay keeps it and may subscribe again (docs/decisions).
 */
export async function endSubscription(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  ending: Ending,
) {
  const { uid } = subscription;
  const endedAt = ending.at.toISOString();
  await updateSubscription(context.db, uid, { ended_at: endedAt, grace_until: null });
  const reason = ending.cause ? "refunded" : "ended";
  const lostCredit = await voidUnearnedCredit(context, subscription, reason);
  const unpaid = subscription.cancelled_at === null;
  const scheduledAt = unpaid ? null : await scheduleDeletion(context, subscription);
  const kept = scheduledAt ? await findDelay(context, subscription, scheduledAt) : null;
  const undecidedDebit = await readUndecidedAmount(context.db, subscription);
  const cause = await readCause(context, subscription, { ...ending, undecidedDebit });
  const isStopped = cause === "stopped";
  // Who stopped the contract has said that it must not go on.
  const isRenewedIfPaid = unpaid && subscription.expires_at > context.clock.now().toISOString();
  const stop = isStopped ? await findStop(context.db, subscription) : undefined;
  const mayWithdraw = isStopped && kept !== "withdrawal";
  // The right outlives the end.
  const rightUntil = withdrawableUntil({ ...subscription, ended_at: null }, context.clock.now());
  await mailOwner(context, subscription, `ended:${uid}:${endedAt}`, (site) => ({
    kind: "subscription-ended",
    site,
    endedAt,
    deletedAt: kept ? null : scheduledAt,
    keptFor: kept,
    cause,
    undecidedDebit,
    receivedAt: isStopped ? (stop?.received_at ?? subscription.cancelled_at) : null,
    stoppedBy: stop?.kind ?? "cancellation",
    holdUntil: cause === "returned" && isRenewedIfPaid ? subscription.expires_at : null,
    withdrawableUntil: mayWithdraw ? rightUntil : null,
    lostCredit,
    rest: ending.rest ?? 0,
    renewed: ending.renewed ?? 0,
    registerUrl: unpaid ? links.payment(site) : links.registration(site),
  }));
}

/** The declaration that stopped the contract; undefined for a stop on the account, which counts at once. */
const findStop = (db: Database, { uid, cancelled_at }: SubscriptionRow) =>
  db
    .selectFrom("contract_notice")
    .select(["received_at", "kind"])
    .where("subscription_uid", "=", uid)
    .where("stops_at", "=", cancelled_at)
    .where("undone_at", "is", null)
    .orderBy("received_at")
    .executeTakeFirst();

/**
 * Finds what moves the deletion to a day that nobody knows yet. The notice of a contract that is withdrawn
 * from has done its work; its refund is open.
 */
async function findDelay(
  context: SubscriptionContext,
  { account_uid, withdrawn_at }: SubscriptionRow,
  scheduledAt: string,
) {
  const kept = await findReasonToKeep(context, account_uid);
  if (!kept || (kept.reason === "withdrawal" && withdrawn_at !== null)) return null;
  const isInTime = kept.reason === "cancellation" && kept.until.toISOString() <= scheduledAt;
  return isInTime ? null : kept.reason;
}

async function readCause(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  { cause, undecidedDebit }: Ending & { undecidedDebit: number | null },
) {
  if (subscription.withdrawn_at !== null) return "withdrawn";
  if (cause) return cause;
  if (subscription.cancelled_at) return "stopped";
  // The card is not blamed for a charge that was not refused.
  if (undecidedDebit !== null) return "undecided";
  return (await hasBegunRenewal(context.db, subscription)) ? "not charged" : "unpaid";
}
