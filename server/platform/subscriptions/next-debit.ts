import { dueOfferOf } from "../../../app/contract/offer";
import type { UndoPreview } from "../../../app/contract/notices";
import type { Debit } from "../mail/letters";
import { dueContract } from "./due";
import type { SubscriptionRow } from "../database/subscription-row";
import { endsWithPaidPeriod, findPlannedStop } from "./planned-stop";
import { renewalScheduledAt } from "./schedule";
import type { SubscriptionContext } from "./context";
import { findUndecidedDebit } from "../money/undecided-debit";

/** What is charged next: at once, later, or only on the payment page; or what the bank decides on before that. */
export type NextDebit = Omit<UndoPreview, "status">;

/**
 * The next debit of a subscription, at the time of the job that charges it. There is none when the bank
 * requires the person's confirmation, when no retry is left, or when a planned stop comes before it. While the bank decides on a debit, the job only
 * looks again: that debit is the next one, also of a contract that is stopped or over.
 */
export async function nextDebitOf(
  context: Pick<SubscriptionContext, "db" | "clock" | "calendar">,
  subscription: SubscriptionRow,
): Promise<NextDebit> {
  const { db, clock, calendar } = context;
  const { uid, amount, ended_at, cancelled_at, expires_at, grace_until } = subscription;
  const undecided = await findUndecidedDebit(db, subscription);
  if (undecided) {
    const isOwn = undecided.kind === "first";
    return { undecidedAmount: undecided.amount, ...(isOwn && { isUndecidedOwn: true }) };
  }
  if (ended_at !== null || cancelled_at !== null) return {};
  if (await endsWithPaidPeriod(db, subscription, clock.now())) return {};
  const work = { subscriptionUid: uid, due: expires_at, attempt: subscription.renewal_attempts };
  const date = subscription.card_reference && (await renewalScheduledAt(context, work));
  const isRetry = subscription.renewal_attempts > 0;
  const stop = isRetry && date ? await findPlannedStop(db, subscription, date) : undefined;
  if (!date || stop) {
    return { payUntilDateTime: stop?.stopsAt ?? grace_until ?? expires_at };
  }
  const now = clock.now();
  if (date > now.toISOString()) return { nextDebit: { date, amount } };
  return { offer: dueOfferOf(await dueContract(db, subscription), now, calendar) };
}

/** The next debit of a contract that goes on, as letters name it; null when there is none. */
export function debitOf(
  { amount, ended_at, cancelled_at }: SubscriptionRow,
  { offer, nextDebit, payUntilDateTime: until, undecidedAmount }: NextDebit,
): Debit | null {
  if (ended_at !== null || cancelled_at !== null) return null;
  if (undecidedAmount !== undefined) return { when: "undecided", amount: undecidedAmount };
  if (offer) return { when: "now", amount, date: offer.nextDebit?.date ?? null };
  if (nextDebit) return { when: "later", amount, date: nextDebit.date };
  return until === undefined ? null : { when: "by hand", amount, date: until };
}
