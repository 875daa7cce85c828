import type { Subscription } from "../subscriptions/lookup";
import { findSubscription, lockSubscription } from "../subscriptions/lookup";
import { bringUpToDate } from "../subscriptions/stop";
import type { SubscriptionContext } from "../subscriptions/context";
import { withdrawalDeadline } from "./deadline";
import type { Notice } from "./store";

/** By what a notice names a contract. */
export type Naming = Pick<Notice, "kind" | "email_key" | "reference" | "received_at">;

/** The contract a notice is about, as it stands now, held until the transaction ends. */
export async function lockContract(
  context: SubscriptionContext,
  notice: Notice,
): Promise<Subscription | undefined> {
  const contract = await findContract(context, notice);
  const locked = contract && (await lockSubscription(context.db, contract.uid));
  if (!locked) return undefined;
  await bringUpToDate(context, locked.account_uid);
  return findSubscription(context.db, locked.uid);
}

/**
 * The contract whose reference is given, otherwise the newest one of the e-mail: whoever pays under
 * an e-mail that became free hides no former contract. One that is over leaves the cancellation to
 * the newest one. The name proves nothing and is not asked of subscribers: it is recorded, not
 * compared.
 */
export async function findContract(context: SubscriptionContext, naming: Naming) {
  const named = await findByReference(context, naming);
  if (named && (naming.kind === "withdrawal" || !named.ended_at)) return named;
  return (await findByEmail(context, naming)) ?? named;
}

/** Whether one may still withdraw from a contract by a notice of that moment. */
export const isWithdrawable = ({ started_at }: Subscription, { received_at }: Notice) =>
  withdrawalDeadline(new Date(started_at)) > new Date(received_at);

/** Anybody's: the answer goes to the contract's own address. Where there is none, only one's own. */
async function findByReference(context: SubscriptionContext, naming: Naming) {
  const uid = naming.reference?.trim();
  if (!uid) return undefined;
  const living = await newest(context, naming)
    .where("subscription.uid", "=", uid)
    .executeTakeFirst();
  return living ?? former(context, naming)?.where("uid", "=", uid).executeTakeFirst();
}

async function findByEmail(context: SubscriptionContext, naming: Naming) {
  const living = await newest(context, naming)
    .where("account.identifier_key", "=", naming.email_key)
    .executeTakeFirst();
  return living ?? former(context, naming)?.executeTakeFirst();
}

/** Of who has deleted the profile meanwhile: the right to withdraw outlives it. */
function former({ db, subjects }: SubscriptionContext, { kind, email_key, received_at }: Naming) {
  if (kind !== "withdrawal") return undefined;
  return db
    .selectFrom("subscription")
    .selectAll()
    .where("former_key", "in", subjects.all("former", email_key))
    .where("started_at", "<=", received_at)
    .orderBy("started_at", "desc");
}

/** A notice concerns no contract that began after it came. */
const newest = ({ db }: SubscriptionContext, { received_at }: Naming) =>
  db
    .selectFrom("subscription")
    .innerJoin("account", "account.uid", "subscription.account_uid")
    .selectAll("subscription")
    .where("account.status", "!=", "deleted")
    .where("subscription.started_at", "<=", received_at)
    .orderBy("subscription.started_at", "desc")
    .orderBy("subscription.uid", "desc");
