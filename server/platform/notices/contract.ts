import { sql } from "kysely";
import {
  type SubscriptionRow,
  findSubscription,
  lockSubscription,
} from "../database/subscription-row";
import { isStoppable } from "../subscriptions/lookup";
import { bringUpToDate } from "../subscriptions/stop";
import type { SubscriptionContext } from "../subscriptions/context";
import { withdrawalDeadline } from "../subscriptions/withdrawal-deadline";
import type { Notice } from "./store";

/** The fields of a notice that identify a contract. */
export type ContractQuery = Pick<Notice, "kind" | "email_key" | "reference" | "received_at">;

export type FoundContract = {
  subscription: SubscriptionRow;
  /** The e-mail has another contract that could be declared, by its reference. */
  hasOthers: boolean;
};

/** The contract a notice is about, as it stands now, held until the transaction ends. */
export async function lockContract(
  context: SubscriptionContext,
  notice: Notice,
  principalUid: string | null,
): Promise<FoundContract | undefined> {
  const found = await findContract(context, notice, principalUid);
  const subscription = found && (await lockUpToDate(context, found.subscription.uid));
  return subscription && { ...found, subscription };
}

/**
 * The contract that an operator has entered a notice for. It may be that of an erased account, whose e-mail
 * no longer leads to it.
 */
export async function lockEntered(
  context: SubscriptionContext,
  { subscription_uid }: Notice,
): Promise<FoundContract | undefined> {
  const subscription = subscription_uid && (await lockUpToDate(context, subscription_uid));
  return subscription ? { subscription, hasOthers: false } : undefined;
}

async function lockUpToDate(context: SubscriptionContext, uid: string) {
  const locked = await lockSubscription(context.db, uid);
  if (!locked) return undefined;
  await bringUpToDate(context, locked.account_uid);
  return findSubscription(context.db, uid);
}

/**
 * Finds the contract by its reference, otherwise among those of the e-mail: the newest one that can
 * still be declared and is not declared yet, so that a further notice takes the next. Contracts of the
 * living account and those of erased ones count alike. A cancellation that names an ended contract
 * counts as one without reference. The name in a notice is recorded, but not compared: it proves
 * nothing, and subscribers never gave one.
 * @param principalUid signed-in sender: what somebody else declared does not turn them to another contract
 */
export async function findContract(
  context: SubscriptionContext,
  naming: ContractQuery,
  principalUid: string | null,
): Promise<FoundContract | undefined> {
  const named = await findByReference(context, naming);
  const ofEmail = await findByEmail(context, naming);
  const open = ofEmail.filter((contract) => canBeDeclared(context, naming, contract));
  const declared = await findDeclared(context, naming, open);
  const undeclared = open.filter(({ uid }) => !declared.has(uid));
  const chosen =
    named && (naming.kind === "withdrawal" || !named.ended_at)
      ? named
      : ((principalUid ? undefined : undeclared[0]) ?? open[0] ?? named ?? ofEmail[0]);
  if (!chosen) return undefined;
  const isOfEmail = ofEmail.some(({ uid }) => uid === chosen.uid);
  return {
    subscription: chosen,
    hasOthers: isOfEmail && undeclared.some(({ uid }) => uid !== chosen.uid),
  };
}

/**
 * Whether a withdrawal names a contract that is none of this account, as by a mistyped reference: the refund of
 * another one is final, so it waits for the mailed link.
 */
export async function namesNoneOf(
  { db }: Pick<SubscriptionContext, "db">,
  { kind, reference }: { kind: Notice["kind"]; reference?: string | null | undefined },
  accountUid: string,
): Promise<boolean> {
  const uid = reference?.trim();
  if (kind !== "withdrawal" || !uid) return false;
  return (await findSubscription(db, uid))?.account_uid !== accountUid;
}

/** Tells whether the notice was received in time to withdraw from the contract. */
export const isWithdrawable = ({ started_at }: SubscriptionRow, { received_at }: ContractQuery) =>
  withdrawalDeadline(new Date(started_at)) > new Date(received_at);

function canBeDeclared(
  { clock }: SubscriptionContext,
  naming: ContractQuery,
  subscription: SubscriptionRow,
) {
  return naming.kind === "withdrawal"
    ? subscription.withdrawn_at === null && isWithdrawable(subscription, naming)
    : isStoppable(subscription, clock.now());
}

/** The contracts for which a notice of the same kind is in effect. */
async function findDeclared(
  { db }: SubscriptionContext,
  { kind }: ContractQuery,
  contracts: readonly SubscriptionRow[],
): Promise<Set<string>> {
  if (contracts.length === 0) return new Set();
  const uids = contracts.map(({ uid }) => uid);
  const notices = await db
    .selectFrom("contract_notice")
    .select("subscription_uid")
    .where("kind", "=", kind)
    .where("subscription_uid", "in", uids)
    .where("undone_at", "is", null)
    // A cancellation that changed nothing is linked to its contract too.
    .where((e) => e.or([e("kind", "=", "withdrawal"), e("stops_at", "is not", null)]))
    .execute();
  return new Set(notices.flatMap(({ subscription_uid: uid }) => uid ?? []));
}

/**
 * Finds a contract by reference, of any account, whatever e-mail is typed, because the answer is mailed to the
 * contract's own address. Those of erased accounts are found while they have the key of their e-mail.
 */
async function findByReference(context: SubscriptionContext, naming: ContractQuery) {
  const uid = naming.reference?.trim();
  if (!uid) return undefined;
  const living = await selectLiving(context, naming)
    .where("subscription.uid", "=", uid)
    .executeTakeFirst();
  return living ?? selectFormer(context, naming)?.where("uid", "=", uid).executeTakeFirst();
}

/** Finds the contracts of the e-mail, newest first. */
async function findByEmail(
  context: SubscriptionContext,
  naming: ContractQuery,
): Promise<SubscriptionRow[]> {
  const living = await selectLiving(context, naming)
    .where("account.identifier_key", "=", naming.email_key)
    .execute();
  const keys = context.subjects.all("former", naming.email_key);
  const former =
    (await selectFormer(context, naming)?.where("former_key", "in", keys).execute()) ?? [];
  const orderOf = ({ started_at, uid }: SubscriptionRow) => `${started_at} ${uid}`;
  return living.concat(former).sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1));
}

/** Selects contracts of erased accounts: the right to withdraw outlives the account. */
function selectFormer({ db }: SubscriptionContext, { kind, received_at }: ContractQuery) {
  if (kind !== "withdrawal") return undefined;
  return db
    .selectFrom("subscription")
    .selectAll()
    .where("former_key", "is not", null)
    .where("started_at", "<=", received_at);
}

/**
 * When an order was made. On the bank's page this is when it was paid: somebody who declares while the
 * page is open, and pays afterwards, orders anew.
 */
export const orderedAt = sql<string>`coalesce(payment.ordered_at, payment.created_at)`;

/**
 * Selects contracts that were ordered before the notice was received. One of them may have begun only
 * after it, when the bank had decided (`waitForOrder`).
 */
const selectLiving = ({ db }: SubscriptionContext, { received_at }: ContractQuery) =>
  db
    .selectFrom("subscription")
    .innerJoin("account", "account.uid", "subscription.account_uid")
    .innerJoin("payment", "payment.uid", "subscription.payment_uid")
    .selectAll("subscription")
    .where("account.status", "!=", "deleted")
    .where(orderedAt, "<=", received_at);

/**
 * The moment when a notice takes effect for its contract: its receipt, or the start of the contract if the bank was
 * still deciding on its payment.
 */
export const countsFrom = (
  { received_at }: Pick<Notice, "received_at">,
  { started_at }: SubscriptionRow,
) => (received_at < started_at ? started_at : received_at);
