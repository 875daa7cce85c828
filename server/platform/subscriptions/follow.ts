import { graceAfter } from "../../../app/contract/periods";
import { HOUR_MS } from "../ports/durations";
import type { PaymentOutcome, PaidOutcome, RenewalNeed } from "../ports/payment-gateway";
import type { Payment } from "./payments";
import { cardColumns, NO_CARD } from "./card";
import { hasClaim } from "./claims";
import { hasNoCard } from "./due";
import { endLapsed } from "./end";
import { mailOwner } from "./letters";
import { links } from "../mail/links";
import { tellCardMissing } from "./notice";
import { openSubscription } from "./opening";
import { recordPeriod } from "./paid-period";
import { receipt } from "./receipt";
import { refundPayment } from "./refunds";
import { scheduleLastNotice, schedulePeriod, scheduleRenewal } from "./schedule";
import { findRunning, findSubscription, type Subscription } from "./lookup";
import { isDeleted, updateSubscription } from "./store";
import { nextRetry, periodPaidBy } from "./terms";
import type { SubscriptionContext } from "./context";

/** What follows from a payment that was just settled, in the same transaction. */
export async function followPayment(
  context: SubscriptionContext,
  payment: Payment,
  outcome: PaymentOutcome,
) {
  if (outcome.status === "success") return followSuccess(context, payment, outcome);
  if (payment.kind !== "renewal" || payment.subscription_uid === null) return;
  const subscription = await findSubscription(context.db, payment.subscription_uid);
  if (!subscription || !paysFor(payment, subscription)) return;
  if (outcome.status === "failure") {
    await decline(context, subscription, payment, outcome.needs ?? null);
  } else if (!subscription.cancelled_at) {
    await askAgain(context, subscription);
  }
}

/** Money for what no longer exists goes back: a charge that was decided after the end. */
async function followSuccess(context: SubscriptionContext, payment: Payment, outcome: PaidOutcome) {
  if (await isDeleted(context.db, payment.account_uid)) return refundPayment(context, payment);
  if (payment.subscription_uid === null) return followFirst(context, payment, outcome);
  const subscription = await findSubscription(context.db, payment.subscription_uid);
  if (!subscription || !paysFor(payment, subscription)) return refundPayment(context, payment);
  const renewed = await renew(context, subscription, payment, outcome);
  await schedulePeriod(context, renewed);
  return receipt(context, renewed, payment, outcome);
}

/** One contract a person: while the page was open another one may have gone on. */
async function followFirst(context: SubscriptionContext, payment: Payment, outcome: PaidOutcome) {
  await endLapsed(context, payment.account_uid);
  const running = await findRunning(context.db, payment.account_uid);
  return running ? refundPayment(context, payment) : openSubscription(context, payment, outcome);
}

const paysFor = ({ period_start }: Payment, { ended_at, expires_at }: Subscription) =>
  ended_at === null && expires_at === period_start;

/**
 * The next period; the card that paid is the one charged next, unless a payment of the
 * contract is claimed back: then each period is asked for.
 */
async function renew(
  context: SubscriptionContext,
  subscription: Subscription,
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
    ...(isClaimed ? NO_CARD : cardColumns(paid)),
  });
}

/**
 * A bank that wants the person is not asked again without them: it would only refuse. Without a card
 * there is nothing to ask it.
 */
async function decline(
  context: SubscriptionContext,
  subscription: Subscription,
  payment: Payment,
  needs: RenewalNeed | null,
) {
  const { db, calendar, clock } = context;
  const { uid: subscriptionUid, expires_at: due, amount } = subscription;
  const attempt = subscription.renewal_attempts + 1;
  const until = new Date(subscription.grace_until ?? clock.now());
  const isMissing = hasNoCard(subscription);
  const isLeftToPerson = needs === "confirmation" || isMissing;
  const retryAt = isLeftToPerson ? null : nextRetry(until, clock.now(), calendar);
  await updateSubscription(db, subscriptionUid, {
    renewal_attempts: attempt,
    renewal_needs: needs,
  });
  // No further try of what is stopped; its end is told when it comes.
  if (subscription.cancelled_at) return;
  if (retryAt) await scheduleRenewal(context, { subscriptionUid, due, attempt }, retryAt);
  // Told at the last moment: the letter of the end follows.
  if (until <= clock.now()) return;
  if (isMissing) {
    await scheduleLastNotice(context, subscription, until);
    return tellCardMissing(context, subscription, "due");
  }
  await mailOwner(context, subscription, `declined:${payment.uid}`, (site) => ({
    kind: "renewal-declined",
    site,
    amount,
    needs,
    payUrl: links.payment(site),
    graceUntil: until.toISOString(),
    retryAt: retryAt?.toISOString() ?? null,
  }));
}

/** The charge was called off at the bank: no try of the person's card. */
async function askAgain(
  context: SubscriptionContext,
  { uid, expires_at, renewal_attempts }: Subscription,
) {
  const work = { subscriptionUid: uid, due: expires_at, attempt: renewal_attempts, putOff: 1 };
  await scheduleRenewal(context, work, new Date(context.clock.now().getTime() + HOUR_MS));
}
