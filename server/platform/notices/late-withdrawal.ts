import type { LateWithdrawal, OpenWithdrawal } from "../mail/letters";
import { endOfStopped, isOnHold } from "../subscriptions/lookup";
import type { SubscriptionRow } from "../database/subscription-row";
import { debitOf, nextDebitOf } from "../subscriptions/next-debit";
import { endsWithPaidPeriod } from "../subscriptions/planned-stop";
import { readUndecidedAmount } from "../money/undecided-debit";
import { withdrawalDeadline } from "../subscriptions/withdrawal-deadline";
import { withdrawFromContract } from "../subscriptions/withdrawal";
import type { FoundContract } from "./contract";
import { mailWithoutEffect } from "./letters";
import type { Notice } from "./store";
import type { SubscriptionContext } from "../subscriptions/context";
import { selectUnsettled } from "./complete-withdrawal";

/**
 * Mails that nothing changed: with the earlier refund after a withdrawal, with the day of the refund while
 * another one is open, otherwise that it came too late, with what becomes of the contract.
 */
export async function mailEarlierOutcome(
  context: SubscriptionContext,
  notice: Notice,
  found: FoundContract,
) {
  const { subscription } = found;
  const refunded = subscription.withdrawn_at
    ? await withdrawFromContract(context, subscription)
    : null;
  const open = refunded ? null : await findOpenWithdrawal(context, subscription);
  const late = refunded || open ? null : await describeLate(context, subscription);
  await mailWithoutEffect(context, notice, found, (site, facts) => ({
    kind: "withdrawal-without-effect",
    site,
    notice: facts,
    refunded,
    late,
    ...(open && { open }),
  }));
}

/** The open withdrawal that is refunded first, unless it is undone: a further one that is late changes nothing. */
async function findOpenWithdrawal(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
): Promise<OpenWithdrawal | null> {
  const first = await selectUnsettled(context.db, subscription.uid)
    .select(["received_at", "undo_until"])
    .where("undo_until", "is not", null)
    .orderBy("undo_until")
    .executeTakeFirst();
  if (!first?.undo_until) return null;
  return {
    receivedAt: first.received_at,
    refundAt: first.undo_until,
    undecidedDebit: await readUndecidedAmount(context.db, subscription),
  };
}

async function describeLate(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
): Promise<LateWithdrawal> {
  const { started_at, cancelled_at, ended_at, expires_at } = subscription;
  const isOver = ended_at !== null;
  const next = await nextDebitOf(context, subscription);
  const isStopping = await endsWithPaidPeriod(context.db, subscription, context.clock.now());
  const stoppedUntil = cancelled_at === null ? null : endOfStopped(subscription);
  const mayContinue = cancelled_at === null && isOnHold(subscription, context.clock.now());
  return {
    deadline: withdrawalDeadline(new Date(started_at)).toISOString(),
    debit: debitOf(subscription, next),
    undecidedDebit: next.undecidedAmount ?? null,
    endsAt: isOver ? endOfStopped(subscription) : isStopping ? expires_at : stoppedUntil,
    isOver,
    holdUntil: mayContinue ? expires_at : null,
  };
}
