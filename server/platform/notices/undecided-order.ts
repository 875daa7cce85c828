import type { Database } from "../database/tables";
import { inTransaction } from "../database/transaction";
import { MAX_RETRY_MS } from "../jobs/queue";
import { JobWaiting } from "../jobs/runner";
import { HOUR_MS } from "../ports/durations";
import { findSubscription } from "../database/subscription-row";
import { UNSETTLED } from "../money/payments";
import { askBankSoon, wasBankAsked } from "../subscriptions/reconciliation";
import type { SubscriptionContext } from "../subscriptions/context";
import { findContract, orderedAt } from "./contract";
import { mailWithoutEffect, wasMailed } from "./letters";
import type { Notice } from "./store";

/** After which a notice looks again whether the bank has decided. The decision itself wakes it, too. */
const LOOK_AGAIN_MS = 10_000;

/** After which the receipt no longer waits for the bank: it must not be late. */
const RECEIPT_MS = HOUR_MS;

/**
 * Lets a notice wait for the bank's decision on an order that was made before it, however long that
 * takes: the contract that begins with this payment is the one that is declared. After an hour the
 * receipt says so. A notice about a contract that runs, or that names one, does not wait.
 * @throws JobWaiting while the bank decides
 */
export async function waitForOrder(context: SubscriptionContext, notice: Notice) {
  if (!(await concernsOrder(context, notice))) return;
  const now = context.clock.now();
  for (const { uid, status } of await findUndecidedOrders(context.db, notice)) {
    if (status === "open") await askBankSoon(context.db, uid, now);
  }
  const waited = now.getTime() - Date.parse(notice.received_at);
  if (waited >= RECEIPT_MS && !(await isReceipted(context, notice))) {
    await inTransaction(context, (context) => mailNothingFound(context, notice));
  }
  const words = "The bank has not decided yet on an order that came before the notice";
  // At most an hour: jobs that wait for notices look that far ahead, as for a notice that failed.
  const delay = Math.min(MAX_RETRY_MS, Math.max(LOOK_AGAIN_MS, waited / 10));
  throw new JobWaiting(words, new Date(now.getTime() + delay));
}

const isReceipted = (context: SubscriptionContext, { uid, kind }: Notice) =>
  wasMailed(context, uid, `${kind}-without-effect`);

/** Mails that no contract was found, or none yet. */
export async function mailNothingFound(context: SubscriptionContext, notice: Notice) {
  const isOrderUndecided = await hasUndecidedOrder(context.db, notice);
  const more = isOrderUndecided && { isOrderUndecided };
  await mailWithoutEffect(context, notice, undefined, (site, facts) =>
    notice.kind === "cancellation"
      ? {
          kind: "cancellation-without-effect",
          site,
          notice: facts,
          endsAt: null,
          undecidedDebit: null,
          isUnannounced: false,
          withdrawableUntil: null,
          ...more,
        }
      : {
          kind: "withdrawal-without-effect",
          site,
          notice: facts,
          refunded: null,
          late: null,
          ...more,
        },
  );
}

/** Tells whether a notice is about an order that the bank may have accepted, or will. */
export async function concernsOrder(
  context: SubscriptionContext,
  notice: Pick<Notice, "kind" | "email_key" | "received_at" | "reference">,
): Promise<boolean> {
  const { db } = context;
  if (!(await hasUndecidedOrder(db, notice))) return false;
  const named = notice.reference && (await findSubscription(db, notice.reference.trim()));
  if (named) return false;
  const found = await findContract(context, notice, null);
  return found === undefined || found.subscription.ended_at !== null;
}

const hasUndecidedOrder = async (db: Database, notice: Naming) =>
  (await findUndecidedOrders(db, notice)).length > 0;

type Naming = Pick<Notice, "email_key" | "received_at">;

/**
 * Finds the orders of this e-mail that came before the notice and may be paid: the bank still decides on
 * them, or their page was open and the bank was not asked since. Paid in such a page, the bank's message
 * may still be on its way. Who pays it after the notice orders after it.
 */
async function findUndecidedOrders(db: Database, { email_key, received_at }: Naming) {
  const orders = await db
    .selectFrom("payment")
    .innerJoin("account", "account.uid", "payment.account_uid")
    .select(["payment.uid", "payment.status"])
    .where("account.identifier_key", "=", email_key)
    .where("payment.status", "in", UNSETTLED)
    // A payment with a contract pays a period of it, and is no order.
    .where("payment.subscription_uid", "is", null)
    .where(orderedAt, "<=", received_at)
    .execute();
  const undecided = [];
  for (const order of orders) {
    const isOpen = order.status === "open";
    if (isOpen && (await wasBankAsked(db, order.uid, new Date(received_at)))) continue;
    undecided.push(order);
  }
  return undecided;
}
