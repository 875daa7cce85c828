import { graceAfter } from "../../../app/contract/periods";
import { HOUR_MS } from "../ports/durations";
import type { PaymentOutcome, PaidOutcome, RenewalNeed } from "../ports/payment-gateway";
import type { Payment } from "../money/payments";
import { NO_CARD } from "../money/card";
import { hasClaim } from "../money/claims";
import { startCreditDelay } from "./credits";
import { hasNoCard } from "./due";
import { endIfLapsed } from "./end";
import { mailOwner } from "../mail/contract-mail";
import { links } from "../mail/links";
import { mailCardMissing } from "./announcements";
import { openSubscription } from "./opening";
import { recordPeriod } from "./paid-period";
import { findPlannedStop } from "./planned-stop";
import { mailReceipt } from "./receipt";
import { usableCard } from "./removed-card";
import { refundPayment } from "../money/refunds";
import { scheduleLastNotice, schedulePeriod, scheduleRenewal } from "./schedule";
import { findRunning } from "./lookup";
import { findSubscription, type SubscriptionRow } from "../database/subscription-row";
import { isDeleted, updateSubscription } from "./store";
import { hasNothingToPay } from "./subscription";
import { recordUnannounced } from "./unannounced";
import { nextRetry, periodPaidBy } from "./contract-periods";
import type { SubscriptionContext } from "./context";

/** Applies the effects of a payment that was just settled, in the same transaction. */
export async function applyPayment(
  context: SubscriptionContext,
  payment: Payment,
  outcome: PaymentOutcome,
) {
  if (outcome.status === "success") return applySuccess(context, payment, outcome);
  if (payment.kind === "first") return mailRefused(context, payment);
  if (payment.kind !== "renewal" || payment.subscription_uid === null) return;
  const subscription = await findSubscription(context.db, payment.subscription_uid);
  if (!subscription || !paysFor(payment, subscription)) return;
  if (outcome.status === "failure") {
    await recordDecline(context, subscription, payment, outcome.needs ?? null);
  } else if (!subscription.cancelled_at) {
    await rescheduleCharge(context, subscription);
  }
}

/** Within this time, the page that waits for a card typed on the site tells its outcome. */
const PAGE_WAITS_MS = 30_000;

/**
 * Mails a person whose payment the bank kept undecided: they were told to wait and not to pay twice, and
 * may have left the page that would tell them. Who stopped or withdrew meanwhile is not asked to pay again.
 */
async function mailRefused(context: SubscriptionContext, payment: Payment) {
  const { uid, amount, status, created_at, account_uid } = payment;
  const now = context.clock.now();
  const age = now.getTime() - Date.parse(created_at);
  if (status !== "pending" || age < PAGE_WAITS_MS) return;
  const isPayable = !(await hasNothingToPay(context, account_uid, { due: dueOf(payment) }, now));
  await mailOwner(context, payment, `refused:${uid}`, (site) => ({
    kind: "payment-refused",
    site,
    amount,
    payUrl: isPayable ? links.payment(site) : null,
  }));
}

const dueOf = ({ period_start }: Payment) => (period_start === null ? null : { due: period_start });

/** Opens or renews the contract. A payment decided after the end of its contract is refunded. */
async function applySuccess(context: SubscriptionContext, payment: Payment, outcome: PaidOutcome) {
  if (await isDeleted(context.db, payment.account_uid)) return refundPayment(context, payment);
  if (payment.subscription_uid === null) return applyFirstPayment(context, payment, outcome);
  const subscription = await findSubscription(context.db, payment.subscription_uid);
  if (!subscription || !paysFor(payment, subscription)) return refundPayment(context, payment);
  const renewed = await startNextPeriod(context, subscription, payment, outcome);
  const paid = await recordUnannounced(context, renewed, payment);
  await startCreditDelay(context, renewed);
  await schedulePeriod(context, renewed);
  return mailReceipt(context, renewed, paid, outcome);
}

/** Opens a contract, or refunds when another one runs: a person has one contract at a time. */
async function applyFirstPayment(
  context: SubscriptionContext,
  payment: Payment,
  outcome: PaidOutcome,
) {
  await endIfLapsed(context, payment.account_uid);
  const running = await findRunning(context.db, payment.account_uid);
  return running ? refundPayment(context, payment) : openSubscription(context, payment, outcome);
}

const paysFor = ({ period_start }: Payment, { ended_at, expires_at }: SubscriptionRow) =>
  ended_at === null && expires_at === period_start;

/**
 * Starts the next period. The card that paid is used for the next renewal, unless the
 * contract has a claim: then the person must pay each period on a page.
 */
async function startNextPeriod(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  payment: Payment,
  paid: PaidOutcome,
) {
  const { db, calendar, clock } = context;
  const { start, end, anchor } = periodPaidBy(clock.now(), subscription, calendar);
  const period = { covers_from: start.toISOString(), covers_until: end.toISOString() };
  await recordPeriod(context, payment, period);
  const isClaimed = await hasClaim(db, subscription);
  return updateSubscription(db, subscription.uid, {
    period_start: period.covers_from,
    expires_at: period.covers_until,
    anchor_at: anchor.toISOString(),
    renewal_attempts: 0,
    renewal_needs: null,
    grace_until: subscription.cancelled_at ? null : graceAfter(end, calendar).toISOString(),
    ...(isClaimed ? NO_CARD : usableCard(context, payment, paid)),
  });
}

/**
 * A bank that wants the person is not asked again without them, nor about a card that it refuses for ever: it
 * would only refuse. Without a card there is nothing to ask it.
 */
async function recordDecline(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  payment: Payment,
  needs: RenewalNeed | null,
) {
  const { db, calendar, clock } = context;
  const { uid: subscriptionUid, expires_at: due, amount } = subscription;
  const attempt = subscription.renewal_attempts + 1;
  const until = new Date(subscription.grace_until ?? clock.now());
  const isMissing = hasNoCard(subscription);
  const stop = await findPlannedStop(db, subscription, until.toISOString());
  const isLeftToPerson = needs !== null || isMissing;
  const retryAt = isLeftToPerson ? null : nextRetry(until, clock.now(), calendar);
  await updateSubscription(db, subscriptionUid, {
    renewal_attempts: attempt,
    renewal_needs: needs,
  });
  // A stopped subscription is not retried, and its end has a letter of its own.
  if (subscription.cancelled_at) return;
  if (retryAt) await scheduleRenewal(context, { subscriptionUid, due, attempt }, retryAt);
  // At the end of the grace only the letter about the end is sent.
  if (until <= clock.now()) return;
  if (isLeftToPerson) await scheduleLastNotice(context, subscription, until);
  if (isMissing) return mailCardMissing(context, subscription, "due");
  // The job stays: the stop may be undone before.
  const announced = stop && retryAt && stop.stopsAt <= retryAt.toISOString() ? null : retryAt;
  await mailOwner(context, subscription, `declined:${payment.uid}`, (site) => ({
    kind: "renewal-declined",
    site,
    amount,
    needs,
    payUrl: links.payment(site),
    graceUntil: until.toISOString(),
    retryAt: announced?.toISOString() ?? null,
    stopsAt: stop?.stopsAt ?? null,
    isReminder: false,
  }));
}

/** Schedules the charge again after it was cancelled at the bank; this counts as no attempt. */
async function rescheduleCharge(
  context: SubscriptionContext,
  { uid, expires_at, renewal_attempts }: SubscriptionRow,
) {
  const work = { subscriptionUid: uid, due: expires_at, attempt: renewal_attempts, putOff: 1 };
  await scheduleRenewal(context, work, new Date(context.clock.now().getTime() + HOUR_MS));
}
