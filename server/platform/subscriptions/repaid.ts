import { z } from "zod/v4";
import { dayOf } from "../../../app/contract/day";
import { lockAccount } from "../database/account-lock";
import type { Database } from "../database/tables";
import { inTransaction } from "../database/transaction";
import { enqueue } from "../jobs/queue";
import { whyDisputed } from "../money/claims";
import type { SubscriptionContext } from "./context";
import { findPayerEmail } from "../mail/contract-mail";
import { readOwed, type Owed, type Refund } from "../money/owed-refunds";
import { logMovement } from "../money/money-log";
import { forgetPaidBack } from "../money/payer-email";
import { findPayment, type Payment } from "../money/payments";
import { mailRepaid } from "../money/refund-letters";
import { followMoney } from "./reversals";

/** Kind of the job that mails a person what was repaid, and lets access follow. */
export const REPAID = "payment.repaid";

const work = z.object({ refundUid: z.string() });

type Store = Pick<SubscriptionContext, "db" | "clock">;

/** `day`: on which it was paid; null for today. `by`: who records it. */
type Repayment = {
  paymentUid: string;
  day: string | null;
  reference: string | null;
  by: string;
};

/** `recipient`: who will be mailed about it; null when no e-mail is kept. */
type Recorded = { refusal: string } | { amount: number; day: string; recipient: string | null };

/**
 * Records that what is owed of a payment was paid by another way than its card, once: the refunds that could not
 * be made have succeeded with it. A job of the site tells its person: the caller may be a command that does not know
 * the site's name and address.
 * @returns in one sentence why it cannot be recorded, or what was
 */
export async function recordRepaid(context: Store, repayment: Repayment): Promise<Recorded> {
  return inTransaction(context, async (context) => {
    const { db, clock } = context;
    const known = await findPayment(db, repayment.paymentUid);
    if (!known) return { refusal: `There is no payment ${repayment.paymentUid}` };
    await lockAccount(db, known.account_uid);
    const payment = (await findPayment(db, known.uid)) ?? known;
    const owed = await readOwed(db, payment);
    if (!owed) return { refusal: await whyNotOwed(db, payment) };
    const today = dayOf(clock.now());
    const day = repayment.day ?? today;
    const refusal = whyNotThen(owed, day, today);
    if (refusal !== null) return { refusal };
    const settledAt = day === today ? clock.now().toISOString() : `${day}T12:00:00.000Z`;
    for (const { uid, share } of sharesOf(owed)) {
      await settle(context, uid, share, settledAt, repayment);
    }
    return { amount: owed.amount, day, recipient: await findPayerEmail(db, payment) };
  });
}

async function settle(
  { db, clock }: Store,
  uid: string,
  amount: number,
  settled_at: string,
  { by, reference }: Repayment,
) {
  await db
    .updateTable("refund")
    .set({ status: "success", amount, settled_at, repaid_by: by, repaid_reference: reference })
    .where("uid", "=", uid)
    .execute();
  await enqueue(db, {
    kind: REPAID,
    key: `${REPAID}:${uid}`,
    payload: { refundUid: uid },
    runAt: clock.now(),
  });
}

/** Shares what is owed among the refunds that it stands for; the last takes what is over. */
function sharesOf({ amount, refunds }: Owed): { uid: string; share: number }[] {
  let rest = amount;
  const shares = refunds.map(({ uid, amount }, index) => {
    const share = index === refunds.length - 1 ? rest : Math.min(amount, rest);
    rest -= share;
    return { uid, share };
  });
  return shares.filter(({ share }) => share > 0);
}

/** Work of the job after a repayment was recorded. */
export async function applyRepaid(context: SubscriptionContext, payload: unknown) {
  const { refundUid } = work.parse(payload);
  await inTransaction(context, async (context) => {
    const refund = await findRefund(context.db, refundUid);
    const payment = refund && (await findPayment(context.db, refund.payment_uid));
    if (!payment || refund.repaid_by === null) return;
    await lockAccount(context.db, payment.account_uid);
    const { uid, amount } = refund;
    const moved = { uid: payment.uid, refund: uid, amount, outcome: "success by another way" };
    logMovement(context, { movement: "refund", ...moved });
    // All refunds that were recorded together are mailed now: the e-mail may be erased before the next one's job.
    for (const one of await findRepaidWith(context.db, refund)) {
      await mailRepaid(context, payment, one);
    }
    await forgetPaidBack(context, payment.uid);
    await followMoney(context, payment);
  });
}

const findRepaidWith = (db: Database, { payment_uid, settled_at }: Refund): Promise<Refund[]> =>
  db
    .selectFrom("refund")
    .selectAll()
    .where("payment_uid", "=", payment_uid)
    .where("settled_at", "=", settled_at)
    .where("repaid_by", "is not", null)
    .orderBy("uid")
    .execute();

const findRefund = (db: Database, uid: string): Promise<Refund | undefined> =>
  db.selectFrom("refund").selectAll().where("uid", "=", uid).executeTakeFirst();

async function whyNotOwed(db: Database, { uid }: Payment): Promise<string> {
  const disputed = await whyDisputed(db, uid);
  if (disputed !== null) return disputed;
  const refunds = await db
    .selectFrom("refund")
    .selectAll()
    .where("payment_uid", "=", uid)
    .orderBy("settled_at", "desc")
    .execute();
  const pending = refunds.find(({ status }) => status === "pending");
  if (pending) {
    return `Not given up: the site itself still gives back ${pending.amount} cents of ${uid}`;
  }
  const repaid = refunds.find(({ repaid_by }) => repaid_by !== null);
  if (repaid?.settled_at) {
    const day = dayOf(new Date(repaid.settled_at));
    return `Recorded before: ${repaid.amount} cents of ${uid}, paid on ${day}, by ${repaid.repaid_by}`;
  }
  return `Nothing is owed of ${uid}: no refund of it was given up or came back`;
}

function whyNotThen({ refunds }: Owed, day: string, today: string): string | null {
  if (day > today) return `Not paid yet: ${day} is after today, ${today}`;
  const [first] = refunds;
  return first && day < dayOf(new Date(first.created_at))
    ? `Not paid on ${day}: it was owed later`
    : null;
}
