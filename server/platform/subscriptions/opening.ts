import { newUid } from "../ports/ids";
import type { PaidOutcome } from "../ports/payment-gateway";
import { findFormula } from "../offers/formulas";
import { describeOffer } from "../offers/description";
import type { Payment } from "./payments";
import { firstPeriodEnd, firstPeriodStart } from "../offers/periods";
import { cardColumns } from "./card";
import { mailOwner } from "./letters";
import { links } from "../mail/links";
import { recordPeriod } from "./paid-period";
import { receipt } from "./receipt";
import { schedulePeriod, scheduleTrialNotice } from "./schedule";
import type { Subscription } from "./lookup";
import { graceAfter } from "./terms";
import type { SubscriptionContext } from "./context";

/** Opens what a first payment bought, with all that follows from it: mails, renewal, notice. */
export async function openSubscription(
  context: SubscriptionContext,
  payment: Payment,
  outcome: PaidOutcome,
) {
  const formula = await findFormula(context.db, payment.formula_uid);
  if (!formula) throw new Error(`The formula of payment ${payment.uid} is gone`);
  const subscription = await insert(context, payment, outcome, formula);
  const { started_at: covers_from, expires_at: covers_until } = subscription;
  await recordPeriod(context, payment, { covers_from, covers_until });
  await schedulePeriod(context, subscription);
  if (formula.trialDuration) await scheduleTrialNotice(context, subscription);
  const offer = describeOffer(formula, context.clock.now(), context.calendar);
  await mailOwner(context, subscription, `welcome:${subscription.uid}`, (site) => ({
    ...{ kind: "welcome", site, offer, accountUrl: links.account(site) },
    reference: subscription.uid,
  }));
  await receipt(context, subscription, payment, outcome);
}

async function insert(
  { db, clock, calendar, activationDelaySeconds }: SubscriptionContext,
  payment: Payment,
  paid: PaidOutcome,
  formula: NonNullable<Awaited<ReturnType<typeof findFormula>>>,
): Promise<Subscription> {
  const now = clock.now();
  const expiresAt = firstPeriodEnd(now, formula, calendar);
  return db
    .insertInto("subscription")
    .values({
      uid: newUid(),
      account_uid: payment.account_uid,
      formula_uid: formula.uid,
      payment_uid: payment.uid,
      amount: formula.amount,
      trial_amount: formula.trialAmount ?? null,
      credits: formula.creditAmount ?? null,
      ...cardColumns(paid),
      started_at: now.toISOString(),
      activates_at: new Date(now.getTime() + activationDelaySeconds * 1000).toISOString(),
      expires_at: expiresAt.toISOString(),
      renewal_attempts: 0,
      grace_until: graceAfter(expiresAt, calendar).toISOString(),
      origin: payment.origin,
      anchor_at: firstPeriodStart(now, formula, calendar).toISOString(),
      period_duration: formula.periodDuration,
      period_duration_unit: formula.periodDurationUnit,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
