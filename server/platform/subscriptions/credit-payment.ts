import { z } from "zod/v4";
import { dayOf } from "../../../app/contract/day";
import type { Tables } from "../database/tables";
import { inTransaction } from "../database/transaction";
import { enqueue } from "../jobs/queue";
import { links } from "../mail/links";
import type { SubscriptionContext } from "./context";
import { findObstacle } from "./credit-obstacle";
import { findCredit, withdrawalEnd } from "./credit-row";
import { findContractEmail, mailCreditor } from "../mail/contract-mail";
import { logMovement } from "../money/money-log";
import {
  findSubscription,
  lockSubscription,
  type SubscriptionRow,
} from "../database/subscription-row";

/** Kind of the job that mails a person that their credit was recorded as paid. */
export const CREDIT_PAID = "credit.paid";

const work = z.object({ subscriptionUid: z.string() });

type PayContext = Pick<SubscriptionContext, "db" | "clock" | "calendar">;

/** `recipient`: who will be mailed about it; null when no e-mail is kept. */
type Marked = { refusal: string } | { recipient: string | null };

/**
 * Marks a due credit as paid on a day, once. A job of the site mails its person: the caller may be a
 * command that does not know the site's name and address.
 * @returns in one sentence why it cannot be marked, or who is mailed
 */
export async function markCreditPaid(
  context: PayContext,
  reference: string,
  paidOn: string | null,
): Promise<Marked> {
  return inTransaction(context, async (context) => {
    const { db, clock } = context;
    const today = dayOf(clock.now());
    const day = paidOn ?? today;
    const subscription = await lockSubscription(db, reference);
    const credit = subscription && (await findCredit(db, reference));
    if (!credit) return { refusal: `No contract with a credit has the reference ${reference}` };
    const refusal = await whyUnpayable(context, subscription, credit);
    if (refusal !== null) return { refusal };
    if (day > today) return { refusal: `Not paid yet: ${day} is after today, ${today}` };
    if (paidOn !== null && day < dayOf(new Date(credit.created_at))) {
      return { refusal: `Not paid on ${day}: it was promised later` };
    }
    await db
      .updateTable("credit")
      .set({ status: "paid", paid_on: day, settled_at: clock.now().toISOString() })
      .where("subscription_uid", "=", reference)
      .where("status", "=", "due")
      .execute();
    await enqueue(db, {
      kind: CREDIT_PAID,
      key: `${CREDIT_PAID}:${reference}`,
      payload: { subscriptionUid: reference },
      runAt: clock.now(),
    });
    return { recipient: await findContractEmail(db, subscription) };
  });
}

/** Work of the job after a credit was marked as paid. */
export async function mailCreditPaid(context: SubscriptionContext, payload: unknown) {
  const { subscriptionUid } = work.parse(payload);
  await inTransaction(context, async (context) => {
    const subscription = await lockSubscription(context.db, subscriptionUid);
    const credit = subscription && (await findCredit(context.db, subscriptionUid));
    if (!subscription || !credit?.paid_on) return;
    const { amount, debtor, way, paid_on: paidOn } = credit;
    logMovement(context, { movement: "credit", uid: subscriptionUid, amount, outcome: "paid" });
    await mailCreditor(
      context,
      subscription,
      `credit-paid:${subscriptionUid}`,
      (site, isFormer) => ({
        kind: "credit-paid",
        site,
        amount,
        debtor,
        way,
        paidOn,
        reference: subscriptionUid,
        isFormer,
        url: isFormer ? links.contact(site) : links.contract(site, subscriptionUid),
      }),
    );
  });
}

async function whyUnpayable(
  context: PayContext,
  subscription: SubscriptionRow,
  { status, paid_on, due_at, void_reason }: Tables["credit"],
): Promise<string | null> {
  const { uid } = subscription;
  if (status === "paid") return `The credit of ${uid} was paid before, on ${paid_on}`;
  if (status === "void") return `The credit of ${uid} is not owed (${void_reason})`;
  if (status === "awaited") {
    const when =
      due_at === null ? "its first whole period is not paid" : `it is due from ${due_at}`;
    return `The credit of ${uid} is not due: ${when}`;
  }
  const obstacle = await findObstacle(context.db, subscription);
  if (obstacle === null) {
    const withdrawable = withdrawalEnd(context, subscription);
    // Earlier releases made credits due while the contract could still be given back.
    const isEarly = due_at !== null && due_at < withdrawable.toISOString();
    if (!isEarly || withdrawable <= context.clock.now()) return null;
    return `The credit of ${uid} waits: the contract can be withdrawn from until ${withdrawable.toISOString()}`;
  }
  return obstacle === "undecided"
    ? `The credit of ${uid} waits: the person or the bank may take the contract's money back`
    : `The credit of ${uid} is not owed any more (${obstacle})`;
}

/**
 * Records that a paid credit is not owed any more, or is owed again, and logs it once: the software
 * cannot take back what was paid outside of it.
 */
export async function reviewPaidCredit(
  { db, log }: Pick<SubscriptionContext, "db" | "log">,
  { uid }: Pick<SubscriptionRow, "uid">,
) {
  const subscription = await findSubscription(db, uid);
  const credit = subscription && (await findCredit(db, uid));
  if (!subscription || credit?.status !== "paid") return;
  const reason = await findObstacle(db, subscription);
  if (reason === "undecided" || reason === credit.reclaim_reason) return;
  await db
    .updateTable("credit")
    .set({ reclaim_reason: reason })
    .where("subscription_uid", "=", uid)
    .execute();
  if (reason === null || credit.reclaim_reason !== null) return;
  const { amount, debtor } = credit;
  log.warn({ contract: uid, amount, debtor, reason }, "a credit was paid and is not owed any more");
}
