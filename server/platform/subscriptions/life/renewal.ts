import { newUid } from "../../ports/ids";
import type { PaymentDecision } from "../../ports/payment-gateway";
import type { Payment } from "../payments";
import { scheduleReconciliation } from "../reconciliation";
import { decidePayment } from "../settlement";
import { inTransaction, type World } from "../world";
import { endSubscription } from "./end";
import { renewalWork, scheduleEnd, scheduleRenewal, type RenewalWork } from "./schedule";
import { findUndecided, lockSubscription, updateSubscription, type Subscription } from "./store";
import { graceAfter } from "./terms";
import type { Life } from "./world";

const HOUR_MS = 3_600_000;

/**
 * Work of the job at the end of what is paid: ends what was stopped, charges the rest. The payment
 * is written before the bank is asked, and whoever runs the job again asks under the same name.
 */
export async function renewSubscription(world: World, payload: unknown) {
  const work = renewalWork.parse(payload);
  const begun = await inTransaction(world, (life) => begin(life, work));
  if (!begun) return;
  const decision = await charge(world, begun);
  await decidePayment(world, begun.payment.uid, decision);
  if (decision.status !== "pending") return;
  await scheduleReconciliation(
    world.db,
    { paymentUid: begun.payment.uid, attempt: 1 },
    world.clock.now(),
  );
}

type Begun = { payment: Payment; subscription: Subscription };

async function begin(life: Life, work: RenewalWork): Promise<Begun | null> {
  const subscription = await lockSubscription(life.db, work.subscriptionUid);
  if (!subscription || !concerns(work, subscription)) return null;
  if (subscription.cancelled_at) {
    await endSubscription(life, subscription, { at: new Date(subscription.expires_at) });
    return null;
  }
  const undecided = await findUndecided(life.db, subscription);
  if (undecided?.kind === "first") {
    // The person is paying by another card: that comes first.
    await scheduleRenewal(life, work, new Date(life.clock.now().getTime() + HOUR_MS));
    return null;
  }
  if (work.attempt === 0) await beginGrace(life, subscription);
  return { subscription, payment: undecided ?? (await insertRenewal(life, subscription)) };
}

const concerns = ({ due, attempt }: RenewalWork, subscription: Subscription) =>
  subscription.ended_at === null &&
  subscription.expires_at === due &&
  subscription.renewal_attempts === attempt;

/** Whoever is charged late, because nothing ran, has the whole of the grace all the same. */
async function beginGrace(life: Life, subscription: Subscription) {
  const { calendar, clock, db } = life;
  const due = new Date(subscription.expires_at);
  const now = clock.now();
  const until = graceAfter(calendar(due, 1, "day") < now ? now : due, calendar);
  await updateSubscription(db, subscription.uid, { grace_until: until.toISOString() });
  await scheduleEnd(life, subscription, until);
}

async function insertRenewal({ db, clock }: Life, subscription: Subscription): Promise<Payment> {
  return db
    .insertInto("payment")
    .values({
      uid: newUid(),
      account_uid: subscription.account_uid,
      formula_uid: subscription.formula_uid,
      kind: "renewal",
      amount: subscription.amount,
      cashback: 0,
      status: "pending",
      created_at: clock.now().toISOString(),
      subscription_uid: subscription.uid,
      period_start: subscription.expires_at,
      origin: subscription.origin,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function charge(
  { db, gateway }: World,
  { payment, subscription }: Begun,
): Promise<PaymentDecision> {
  const { account_uid, amount, card_reference: cardReference } = subscription;
  if (!cardReference) return { status: "failure", code: "no-card", message: "No card is known" };
  const { identifier: email } = await db
    .selectFrom("account")
    .select("identifier")
    .where("uid", "=", account_uid)
    .executeTakeFirstOrThrow();
  const { name: description } = await db
    .selectFrom("formula")
    .select("name")
    .where("uid", "=", subscription.formula_uid)
    .executeTakeFirstOrThrow();
  return gateway.charge({ paymentUid: payment.uid, cardReference, email, amount, description });
}
