import type { Subscription } from "../subscriptions/lookup";
import { findSubscription, lockSubscription } from "../subscriptions/lookup";
import { bringUpToDate } from "../subscriptions/stop";
import type { SubscriptionContext } from "../subscriptions/context";
import { withdrawalDeadline } from "./deadline";
import type { Notice } from "./store";

/** The fields of a notice that identify a contract. */
export type ContractQuery = Pick<Notice, "kind" | "email_key" | "reference" | "received_at">;

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
 * Finds the contract by its reference, otherwise the newest one of the e-mail. A cancellation that
 * names an ended contract concerns the newest one. A new owner of the same e-mail does not hide a
 * former contract. The name in a notice is recorded, but not compared: it proves nothing, and
 * subscribers never gave one.
 */
export async function findContract(context: SubscriptionContext, naming: ContractQuery) {
  const named = await findByReference(context, naming);
  if (named && (naming.kind === "withdrawal" || !named.ended_at)) return named;
  return (await findByEmail(context, naming)) ?? named;
}

/** Tells whether the notice was received in time to withdraw from the contract. */
export const isWithdrawable = ({ started_at }: Subscription, { received_at }: Notice) =>
  withdrawalDeadline(new Date(started_at)) > new Date(received_at);

/**
 * Finds a contract by reference, of any account, because the answer is mailed to the contract's own
 * address. The contract of an erased account must also match the e-mail.
 */
async function findByReference(context: SubscriptionContext, naming: ContractQuery) {
  const uid = naming.reference?.trim();
  if (!uid) return undefined;
  const living = await selectNewest(context, naming)
    .where("subscription.uid", "=", uid)
    .executeTakeFirst();
  return living ?? selectFormer(context, naming)?.where("uid", "=", uid).executeTakeFirst();
}

async function findByEmail(context: SubscriptionContext, naming: ContractQuery) {
  const living = await selectNewest(context, naming)
    .where("account.identifier_key", "=", naming.email_key)
    .executeTakeFirst();
  return living ?? selectFormer(context, naming)?.executeTakeFirst();
}

/** Selects contracts of erased accounts: the right to withdraw outlives the account. */
function selectFormer(
  { db, subjects }: SubscriptionContext,
  { kind, email_key, received_at }: ContractQuery,
) {
  if (kind !== "withdrawal") return undefined;
  return db
    .selectFrom("subscription")
    .selectAll()
    .where("former_key", "in", subjects.all("former", email_key))
    .where("started_at", "<=", received_at)
    .orderBy("started_at", "desc");
}

/** Selects contracts that began before the notice was received, newest first. */
const selectNewest = ({ db }: SubscriptionContext, { received_at }: ContractQuery) =>
  db
    .selectFrom("subscription")
    .innerJoin("account", "account.uid", "subscription.account_uid")
    .selectAll("subscription")
    .where("account.status", "!=", "deleted")
    .where("subscription.started_at", "<=", received_at)
    .orderBy("subscription.started_at", "desc")
    .orderBy("subscription.uid", "desc");
