import { dayOf } from "../../../app/contract/day";
import type { Database } from "../database/tables";
import { inTransaction } from "../database/transaction";
import { newUid } from "../ports/ids";
import { findContractEmail } from "../mail/contract-mail";
import { lockSubscription, type SubscriptionRow } from "../database/subscription-row";
import type { SubscriptionContext } from "../subscriptions/context";
import { withdrawalDeadline } from "../subscriptions/withdrawal-deadline";
import { orderedAt } from "./contract";
import { enqueueProcessing } from "./receive";

type Store = Pick<SubscriptionContext, "db" | "clock">;

/** `recipient`: who will get the receipt; null when no e-mail of the contract is kept. */
type Recorded = { refusal: string } | { done: string } | { recipient: string | null };

/**
 * Records a withdrawal that was declared by post or e-mail, once. The day of its dispatch counts for the
 * period, not that of its arrival (L221-18, L221-21). A job of the site carries it out, as for a notice of
 * the page: the caller may be a command that does not know the site's name and address.
 * @returns in one sentence why it cannot be recorded or what was done before, or who is mailed
 */
export async function recordPostedWithdrawal(
  context: Store,
  reference: string,
  declaredOn: string,
): Promise<Recorded> {
  return inTransaction(context, async (context) => {
    const { db } = context;
    const subscription = await lockSubscription(db, reference);
    if (!subscription) return { refusal: `There is no contract ${reference}` };
    const done = await describeEarlier(db, subscription);
    if (done !== null) return { done };
    const refusal = await whyRefused(context, subscription, declaredOn);
    if (refusal !== null) return { refusal };
    await insertPosted(context, subscription, declaredOn);
    return { recipient: await findContractEmail(db, subscription) };
  });
}

async function describeEarlier(db: Database, { uid, withdrawn_at }: SubscriptionRow) {
  if (withdrawn_at !== null) {
    return `The contract ${uid} was withdrawn from before, on ${dayOf(new Date(withdrawn_at))}`;
  }
  const posted = await db
    .selectFrom("contract_notice")
    .select("wished_date")
    .where("kind", "=", "withdrawal")
    .where("subscription_uid", "=", uid)
    .where("wished_date", "is not", null)
    .where("sender_key", "is", null)
    .executeTakeFirst();
  return posted ? `The withdrawal of ${posted.wished_date} from ${uid} is recorded already` : null;
}

async function whyRefused({ db, clock }: Store, subscription: SubscriptionRow, day: string) {
  const { uid, started_at } = subscription;
  const today = dayOf(clock.now());
  if (day > today) return `Not declared yet: ${day} is after today, ${today}`;
  const orderDay = await findOrderDay(db, subscription);
  if (day < orderDay) return `Not declared on ${day}: ${uid} was ordered on ${orderDay}`;
  const lastDay = dayOf(new Date(withdrawalDeadline(new Date(started_at)).getTime() - 1));
  return day > lastDay ? `Too late: the last day to withdraw from ${uid} was ${lastDay}` : null;
}

/** The bank may have decided on a later day, from which the period counts. */
async function findOrderDay(db: Database, { payment_uid }: SubscriptionRow): Promise<string> {
  const { at } = await db
    .selectFrom("payment")
    .select(orderedAt.as("at"))
    .where("uid", "=", payment_uid)
    .executeTakeFirstOrThrow();
  return dayOf(new Date(at));
}

/** Name and e-mail stay empty: the receipt goes to the contract's own address. */
async function insertPosted(context: Store, { uid }: SubscriptionRow, declaredOn: string) {
  const notice = await context.db
    .insertInto("contract_notice")
    .values({
      uid: newUid(),
      kind: "withdrawal",
      name: "",
      email: "",
      email_key: "",
      reference: uid,
      subscription_uid: uid,
      wished_date: declaredOn,
      received_at: context.clock.now().toISOString(),
      signed_in: 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await enqueueProcessing(context, notice);
}
