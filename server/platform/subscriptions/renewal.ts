import { HOUR_MS } from "../ports/durations";
import { graceAfter } from "../../../app/contract/periods";
import { links } from "../mail/links";
import { derivedUid } from "../ports/ids";
import { NotAsked, ProviderFailure, type PaymentDecision } from "../ports/payment-gateway";
import {
  findPayment,
  isUnsettled,
  paymentNameOf,
  updateUnsettledPayment,
  type Payment,
} from "../money/payments";
import { mayBecomeKnown, scheduleReconciliation } from "./reconciliation";
import { recordDecision } from "./settlement";
import { inTransaction } from "../database/transaction";
import type { PaymentContext } from "./context";
import { prolongUnannouncedTrial } from "./announcements";
import { NO_CARD_CODE } from "../money/card";
import { findContractName } from "../money/contract-name";
import { hasNoCard } from "./due";
import { endIfLapsed } from "./end";
import { mailOwner } from "../mail/contract-mail";
import { waitForNotices } from "./pending-notices";
import {
  isUntried,
  RENEWAL,
  renewalWork,
  scheduleEnd,
  scheduleRenewal,
  type RenewalWork,
} from "./schedule";
import {
  findSubscription,
  lockSubscription,
  type SubscriptionRow,
} from "../database/subscription-row";
import { readReversals } from "./reversal-check";
import { stopAsPlanned } from "./stop";
import { updateSubscription } from "./store";
import { findUnsettledOfPeriod } from "../money/undecided-debit";
import type { SubscriptionContext } from "./context";

/** Delays after a failure of the provider: a minute, then longer. */
const FIRST_RETRY_MS = 60_000;
const RETRY_FACTOR = 4;
const AT_MOST_EVERY_MS = 6 * HOUR_MS;

/**
 * Runs at the end of the paid period: ends a stopped subscription, otherwise charges the renewal.
 * The payment is stored before the bank is asked, so that a second run uses the same payment uid. What went
 * back is read first, because its notification may be lost: nobody is charged again who disputed a payment
 * or got it back.
 */
export async function renewSubscription(context: PaymentContext, payload: unknown) {
  const work = renewalWork.parse(payload);
  const unread = await readWhatWentBack(context, work);
  const prepared = await inTransaction(context, (context) =>
    prepareRenewal(context, work, { isRead: unread === null }),
  );
  if (!prepared) return;
  const decision =
    unread ??
    (await charge(context, prepared).catch((error: unknown) => {
      const isAsked = prepared.askedAt !== null && !(error instanceof NotAsked);
      return new Undecided(error, isAsked);
    }));
  if (decision instanceof Undecided) {
    return inTransaction(context, (context) => postponeRenewal(context, work, prepared, decision));
  }
  await recordDecision(context, prepared.payment.uid, decision);
  if (decision.status === "pending")
    await inTransaction(context, (context) => waitForBank(context, work, prepared));
}

/** The charge failed without a decision: neither paid nor refused. `isAsked`: it may have been made. */
class Undecided extends Error {
  constructor(
    cause: unknown,
    readonly isAsked: boolean,
  ) {
    super("The charge was not decided", { cause });
  }
}

/**
 * Reads what went back of a contract that is about to be charged; without an answer it is not charged. Any failure
 * postpones the charge, so that the grace begins and ends whatever happens.
 */
async function readWhatWentBack(
  context: PaymentContext,
  work: RenewalWork,
): Promise<Undecided | null> {
  const subscription = await findSubscription(context.db, work.subscriptionUid);
  if (!subscription || !isCurrent(work, subscription)) return null;
  if (subscription.cancelled_at !== null || hasNoCard(subscription)) return null;
  try {
    await readReversals(context, subscription);
    return null;
  } catch (error) {
    return new Undecided(error, false);
  }
}

/** `payment`: its row before this try. `askedAt`: when this try asks the provider; null if it does not. */
type PreparedRenewal = { payment: Payment; subscription: SubscriptionRow; askedAt: string | null };

async function prepareRenewal(
  context: SubscriptionContext,
  work: RenewalWork,
  { isRead }: { isRead: boolean },
): Promise<PreparedRenewal | null> {
  const locked = await lockSubscription(context.db, work.subscriptionUid);
  if (!locked) return null;
  const subscription = await stopAsPlanned(context, locked);
  const unsettled = await findUnsettledOfPeriod(context.db, {
    ...subscription,
    expires_at: work.due,
  });
  if (unsettled?.kind === "renewal" && isOver(work, subscription)) {
    // It is no longer charged but may have been paid, so reconciliation asks until it is decided.
    await ensureReconciliation(context, unsettled);
  }
  if (!isCurrent(work, subscription)) return null;
  if (subscription.cancelled_at) {
    await endIfLapsed(context, subscription.account_uid);
    return null;
  }
  if (await hasLapsed(context, subscription)) {
    // The end that was announced has passed: its own job asks the provider a last time.
    if (unsettled?.kind === "renewal") await ensureReconciliation(context, unsettled);
    return null;
  }
  await waitForNotices(context, subscription.account_uid, RENEWAL);
  if (work.attempt === 0 && !work.putOff && unsettled?.kind !== "renewal") {
    // An open payment page of this debit shows the result.
    const isShown = work.wasShown === true || unsettled !== undefined;
    const wasMoved = work.isMoved === true;
    if (!isShown && (await prolongUnannouncedTrial(context, subscription, wasMoved))) return null;
    await beginGrace(context, subscription);
  }
  if (unsettled?.kind === "first") {
    // The person is paying on a page, which comes first.
    await scheduleLater(context, work, HOUR_MS);
    return null;
  }
  const payment = unsettled ?? (await insertRenewal(context, subscription));
  const isAsking = isRead && !hasNoCard(subscription);
  const askedAt = isAsking ? await markAsked(context, payment) : null;
  return { subscription, payment, askedAt };
}

/**
 * Stores that the provider is asked from here on, so that it counts as asked even if this process dies. If no earlier
 * try has asked it, their stored fault is removed: it says nothing of this charge.
 */
async function markAsked({ db, clock }: SubscriptionContext, payment: Payment): Promise<string> {
  const asked_at = clock.now().toISOString();
  const noFault = payment.asked_at === null && { error_code: null, error_message: null };
  await updateUnsettledPayment(db, payment.uid, { asked_at, ...noFault });
  return asked_at;
}

/**
 * Postpones a charge that was not decided, with the same payment uid, until the grace ends
 * (`endUnpaid`). The operator sees it in the log at once. The person is mailed after a day that the
 * card is not the reason.
 */
async function postponeRenewal(
  context: SubscriptionContext,
  work: RenewalWork,
  prepared: PreparedRenewal,
  { cause: error, isAsked }: Undecided,
) {
  const { payment, askedAt } = prepared;
  const { db, log } = context;
  const reason = error instanceof ProviderFailure ? error.reason : "unreachable";
  const fields = { err: error, payment: payment.uid, reason, isAsked };
  log.error(fields, "renewal could not be charged");
  const current = await lockUndecided(context, work, prepared);
  if (!current) return;
  // Another run of this job may have asked since.
  const isOwn = current.asked_at === askedAt;
  const asked_at = !isAsked && isOwn ? payment.asked_at : current.asked_at;
  // Once the provider was asked, the money may have moved, however later tries end.
  const error_code = isAsked || asked_at === null ? reason : current.error_code;
  const change = { asked_at, error_code, error_message: NOT_CHARGED };
  await updateUnsettledPayment(db, payment.uid, change);
  const delay = Math.min(FIRST_RETRY_MS * RETRY_FACTOR ** (work.putOff ?? 0), AT_MOST_EVERY_MS);
  await scheduleLater(context, work, delay);
  await mailDelay(context, prepared, { isAsked: asked_at !== null });
}

/** Locks the account, and reads the payment unless a notification has decided it in between. */
async function lockUndecided(
  { db }: SubscriptionContext,
  { subscriptionUid }: RenewalWork,
  { payment }: PreparedRenewal,
): Promise<Payment | null> {
  await lockSubscription(db, subscriptionUid);
  const current = await findPayment(db, payment.uid);
  return current && isUnsettled(current) ? current : null;
}

/**
 * Waits for a pending charge: a notification or reconciliation decides it; a day later the person
 * is mailed.
 */
async function waitForBank(
  context: SubscriptionContext,
  work: RenewalWork,
  prepared: PreparedRenewal,
) {
  const { clock, calendar } = context;
  const payment = await lockUndecided(context, work, prepared);
  if (!payment) return;
  await ensureReconciliation(context, payment);
  const tomorrow = calendar(clock.now(), 1, "day");
  await scheduleLater(context, work, tomorrow.getTime() - clock.now().getTime());
  await mailDelay(context, prepared, { isAsked: true });
}

async function mailDelay(
  context: SubscriptionContext,
  { payment, subscription }: PreparedRenewal,
  { isAsked }: { isAsked: boolean },
) {
  const { clock, calendar } = context;
  if (calendar(new Date(payment.created_at), 1, "day") > clock.now()) return;
  const { amount } = subscription;
  const graceUntil = subscription.grace_until ?? subscription.expires_at;
  await mailOwner(context, subscription, `delayed:${payment.uid}`, (site) => ({
    kind: "renewal-delayed",
    site,
    isAsked,
    amount,
    graceUntil,
    accountUrl: links.subscription(site),
  }));
}

const NOT_CHARGED = "The provider could not be asked";

async function scheduleLater(context: SubscriptionContext, work: RenewalWork, delay: number) {
  const later = { ...work, putOff: (work.putOff ?? 0) + 1 };
  await scheduleRenewal(context, later, new Date(context.clock.now().getTime() + delay));
}

async function ensureReconciliation(
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  { uid }: Payment,
) {
  await scheduleReconciliation(db, { paymentUid: uid, attempt: 1 }, clock.now());
}

/** True when the period is no longer to be charged. */
const isOver = ({ due }: RenewalWork, { ended_at, cancelled_at, expires_at }: SubscriptionRow) =>
  ended_at !== null || cancelled_at !== null || expires_at !== due;

const isCurrent = ({ due, attempt }: RenewalWork, subscription: SubscriptionRow) =>
  subscription.ended_at === null &&
  subscription.expires_at === due &&
  subscription.renewal_attempts === attempt;

/** Whether the grace is over of a debit that was tried: nothing is charged after it. */
const hasLapsed = async ({ db, clock }: SubscriptionContext, subscription: SubscriptionRow) =>
  (subscription.grace_until ?? "") <= clock.now().toISOString() &&
  !(await isUntried(db, subscription));

/** Starts the grace. A person who is charged late after downtime gets the whole of it. */
async function beginGrace(context: SubscriptionContext, subscription: SubscriptionRow) {
  const { calendar, clock, db } = context;
  const due = new Date(subscription.expires_at);
  const now = clock.now();
  const until = graceAfter(calendar(due, 1, "day") < now ? now : due, calendar);
  subscription.grace_until = until.toISOString();
  await updateSubscription(db, subscription.uid, { grace_until: subscription.grace_until });
  await scheduleEnd(context, subscription, until);
}

/**
 * Inserts the next payment of the period that is due. Its uid derives from contract, period and number: a database
 * that was restored makes the same one again, and the provider, asked by it, knows what it has charged since the
 * backup.
 */
async function insertRenewal(
  { db, clock }: SubscriptionContext,
  subscription: SubscriptionRow,
): Promise<Payment> {
  const { uid: subscriptionUid, expires_at: period } = subscription;
  const { earlier } = await db
    .selectFrom("payment")
    .select((e) => e.fn.countAll<number>().as("earlier"))
    .where("subscription_uid", "=", subscriptionUid)
    .where("period_start", "=", period)
    .where("kind", "=", "renewal")
    .executeTakeFirstOrThrow();
  return db
    .insertInto("payment")
    .values({
      uid: derivedUid("renewal", subscriptionUid, period, String(earlier)),
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
  context: PaymentContext,
  { payment, subscription }: PreparedRenewal,
): Promise<PaymentDecision> {
  const { db, gateway } = context;
  const { account_uid, amount, card_reference: cardReference } = subscription;
  const isAsked = payment.asked_at !== null;
  if (!cardReference) return isAsked ? readEarlierCharge(context, payment) : NO_CARD_DECISION;
  const { identifier: email } = await db
    .selectFrom("account")
    .select("identifier")
    .where("uid", "=", account_uid)
    .executeTakeFirstOrThrow();
  const description = await findContractName(db, subscription);
  return gateway.charge({
    paymentUid: payment.uid,
    cardReference,
    email,
    amount,
    description,
    begunAt: payment.created_at,
    lastFault: payment.error_code === null ? null : { reason: payment.error_code, isAsked },
  });
}

/**
 * Reads the outcome of an unanswered charge whose card was removed before the retry.
 * @throws ProviderFailure while the provider may not know of it yet
 */
async function readEarlierCharge(
  { gateway, clock }: PaymentContext,
  payment: Payment,
): Promise<PaymentDecision> {
  const state = await gateway.status(paymentNameOf(payment));
  if (state.status === "open") return { status: "pending" };
  if (state.status !== "unknown") return state;
  if (!mayBecomeKnown(payment, state, clock.now())) return NO_CARD_DECISION;
  throw new ProviderFailure("The provider may not know of the charge yet", "unknown", null);
}

const NO_CARD_DECISION: PaymentDecision = {
  status: "failure",
  code: NO_CARD_CODE,
  message: "No card is known",
  needs: "card",
};
