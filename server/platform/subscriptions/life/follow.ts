import type { PaymentOutcome } from "../../ports/payment-gateway";
import type { Payment } from "../payments";
import { endSubscription } from "./end";
import { write } from "./letters";
import { links } from "../../mail/links";
import { openSubscription } from "./opening";
import { receipt } from "./receipt";
import { refundPayment } from "./refunds";
import { schedulePeriod, scheduleRenewal } from "./schedule";
import { findSubscription, updateSubscription, type Subscription } from "./store";
import { GRACE_DAYS, graceAfter, nextPeriodEnd, RETRY_DAYS } from "./terms";
import type { Life } from "./world";

type Success = Extract<PaymentOutcome, { status: "success" }>;

/** What follows from a payment that was just settled, in the same transaction. */
export async function followPayment(life: Life, payment: Payment, outcome: PaymentOutcome) {
  if (outcome.status === "success") return followSuccess(life, payment, outcome);
  if (payment.kind !== "renewal" || payment.subscription_uid === null) return;
  const subscription = await findSubscription(life.db, payment.subscription_uid);
  if (!subscription || !paysFor(payment, subscription)) return;
  if (subscription.cancelled_at) {
    await endSubscription(life, subscription, { at: life.clock.now() });
  } else if (outcome.status === "failure") {
    await decline(life, subscription, payment);
  } else {
    await askAgain(life, subscription);
  }
}

/** Money for what no longer exists goes back: a charge that was decided after the end. */
async function followSuccess(life: Life, payment: Payment, outcome: Success) {
  if (await isDeleted(life, payment.account_uid)) return refundPayment(life, payment);
  if (payment.subscription_uid === null) return openSubscription(life, payment, outcome);
  const subscription = await findSubscription(life.db, payment.subscription_uid);
  if (!subscription || !paysFor(payment, subscription)) return refundPayment(life, payment);
  const renewed = await renew(life, subscription, outcome);
  await schedulePeriod(life, renewed);
  return receipt(life, renewed, payment, outcome);
}

const paysFor = ({ period_start }: Payment, { ended_at, expires_at }: Subscription) =>
  ended_at === null && expires_at === period_start;

/** The next period; the card that paid is the one charged next. */
function renew({ db, calendar }: Life, subscription: Subscription, { cardReference }: Success) {
  const end = nextPeriodEnd(subscription, calendar);
  return updateSubscription(db, subscription.uid, {
    period_start: subscription.expires_at,
    expires_at: end.toISOString(),
    renewal_attempts: 0,
    grace_until: subscription.cancelled_at ? null : graceAfter(end, calendar).toISOString(),
    card_reference: cardReference,
  });
}

/** Days are counted back from the end of grace, which says when the first try was. */
async function decline(life: Life, subscription: Subscription, payment: Payment) {
  const { db, calendar, clock } = life;
  const { uid: subscriptionUid, expires_at: due, amount } = subscription;
  const attempt = subscription.renewal_attempts + 1;
  const graceUntil = subscription.grace_until ?? clock.now().toISOString();
  const day = RETRY_DAYS[attempt - 1];
  const retryAt =
    day === undefined ? null : calendar(new Date(graceUntil), day - GRACE_DAYS, "day");
  await updateSubscription(db, subscriptionUid, { renewal_attempts: attempt });
  if (retryAt) await scheduleRenewal(life, { subscriptionUid, due, attempt }, retryAt);
  await write(life, subscription, `declined:${payment.uid}`, (site) => ({
    ...{ kind: "renewal-declined", site, amount, graceUntil, payUrl: links.payment(site) },
    retryAt: retryAt?.toISOString() ?? null,
  }));
}

/** The bank was never reached: no try of the person's card. */
async function askAgain(life: Life, { uid, expires_at, renewal_attempts }: Subscription) {
  const work = { subscriptionUid: uid, due: expires_at, attempt: renewal_attempts };
  await scheduleRenewal(life, work, life.clock.now());
}

async function isDeleted({ db }: Life, accountUid: string) {
  const account = await db
    .selectFrom("account")
    .select("status")
    .where("uid", "=", accountUid)
    .executeTakeFirst();
  return account?.status === "deleted";
}
