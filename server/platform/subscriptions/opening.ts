import { offerOf } from "../../../app/contract/offer";
import { firstPeriodEnd, firstPeriodStart, graceAfter } from "../../../app/contract/periods";
import type { Offer } from "../../../app/contract/subscriptions";
import { newUid } from "../ports/ids";
import type { PaidOutcome } from "../ports/payment-gateway";
import { findFormula } from "../offers/formulas";
import { findFirstTerms, findTerms } from "../content/terms";
import { withdrawalDeadline } from "./withdrawal-deadline";
import { describeCredit, describeOffer } from "../offers/description";
import { offerOfPayment, type Payment } from "../money/payments";
import { recordCredit } from "./credits";
import { mailOwner } from "../mail/contract-mail";
import { links } from "../mail/links";
import { recordPeriod } from "./paid-period";
import { recordProof } from "./proof";
import { mailReceipt } from "./receipt";
import { usableCard } from "./removed-card";
import { schedulePeriod } from "./schedule";
import { findAcceptance } from "./terms-acceptance";
import type { SubscriptionRow } from "../database/subscription-row";
import type { SubscriptionContext } from "./context";

/** Opens the subscription of a first payment, mails the person and schedules renewal and notices. */
export async function openSubscription(
  context: SubscriptionContext,
  payment: Payment,
  outcome: PaidOutcome,
) {
  const sold = offerOfPayment(payment) ?? (await rebuildOffer(context, payment));
  const subscription = await insertSubscription(context, payment, outcome, sold);
  const { started_at: covers_from, expires_at: covers_until } = subscription;
  await recordPeriod(context, payment, { covers_from, covers_until });
  await recordCredit(context, subscription, sold);
  await schedulePeriod(context, subscription);
  const agreed = {
    ...sold,
    nextDebit: sold.nextDebit && { ...sold.nextDebit, date: covers_until },
  };
  await recordProof(context.db, subscription, payment, sold);
  const terms = await findTermsOfOrder(context, payment);
  const acceptance = await findAcceptance(context.db, payment);
  await mailOwner(context, subscription, `welcome:${subscription.uid}`, (site) => ({
    kind: "welcome",
    site,
    offer: describeOffer(agreed),
    credit: describeCredit(sold),
    accountUrl: links.account(site),
    reference: subscription.uid,
    withdrawableUntil: withdrawalDeadline(new Date(subscription.started_at)).toISOString(),
    terms: terms && { title: terms.title, html: terms.body },
    acceptance,
  }));
  await mailReceipt(context, subscription, payment, outcome);
}

const findTermsOfOrder = async ({ db }: SubscriptionContext, { terms_digest }: Payment) =>
  (terms_digest === null ? undefined : await findTerms(db, terms_digest)) ?? null;

/** Rebuilds the offer from the current formula, for payments older than stored offers. */
async function rebuildOffer({ db, clock, calendar }: SubscriptionContext, payment: Payment) {
  const formula = await findFormula(db, payment.formula_uid);
  if (!formula) throw new Error(`The formula of payment ${payment.uid} is gone`);
  return offerOf(formula, clock.now(), { calendar });
}

async function insertSubscription(
  context: SubscriptionContext,
  payment: Payment,
  paid: PaidOutcome,
  sold: Offer,
): Promise<SubscriptionRow> {
  const { db, clock, calendar, activationDelaySeconds } = context;
  const now = clock.now();
  const expiresAt = firstPeriodEnd(now, sold, calendar);
  return db
    .insertInto("subscription")
    .values({
      uid: newUid(),
      account_uid: payment.account_uid,
      formula_uid: sold.formula,
      payment_uid: payment.uid,
      amount: sold.amount,
      trial_amount: sold.trial?.amount ?? null,
      credits: sold.creditAmount ?? null,
      ...usableCard(context, payment, paid),
      started_at: now.toISOString(),
      activates_at: new Date(now.getTime() + activationDelaySeconds * 1000).toISOString(),
      expires_at: expiresAt.toISOString(),
      renewal_attempts: 0,
      grace_until: graceAfter(expiresAt, calendar).toISOString(),
      origin: payment.origin,
      anchor_at: firstPeriodStart(now, sold, calendar).toISOString(),
      period_duration: sold.period.duration,
      period_duration_unit: sold.period.unit,
      terms_digest: payment.terms_digest ?? (await findFirstTerms(db))?.digest ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
