import { sql } from "kysely";
import type { Letter, Site } from "./letters";
import { sendMail } from "./outbox";
import { findSite } from "./site";
import type { Database, Tables } from "../database/tables";
import {
  findContractOf,
  selectNewestFirst,
  type SubscriptionRow,
} from "../database/subscription-row";
import type { Context } from "../database/context";

/** What a letter is about: a contract, or a payment of an account. */
type Bought = { account_uid: string; origin: string | null } & (
  Pick<SubscriptionRow, "uid" | "started_at"> | { started_at?: undefined }
);

type LetterContext = Pick<Context, "db" | "clock" | "site">;

/**
 * Mails the owner of a subscription, unless the account is erased; once per key. The archive of the
 * contract keeps a copy.
 */
export async function mailOwner(
  context: LetterContext,
  bought: Bought,
  key: string,
  letterOf: (site: Site) => Letter,
): Promise<void> {
  const to = await findOwnEmail(context.db, bought.account_uid);
  if (to !== null) await mailAbout(context, bought, { key, to }, letterOf);
}

/**
 * Mails the person to whom something of a contract is owed, once per key: a debt outlives the profile, and the
 * proof of the contract keeps an e-mail for claims from it.
 * @param letterOf `isFormer`: the profile is erased, so that its pages are gone
 */
export async function mailCreditor(
  context: LetterContext,
  subscription: SubscriptionRow,
  key: string,
  letterOf: (site: Site, isFormer: boolean) => Letter,
): Promise<void> {
  const to = await findContractEmail(context.db, subscription);
  if (to === null) return;
  const isFormer = (await findOwnEmail(context.db, subscription.account_uid)) === null;
  const letter = letterOf(await findSite(context, subscription.origin), isFormer);
  await sendMail(context.db, context.clock, { key, to, letter, contract: subscription.uid });
}

/** Mails the payer of a payment that opened no contract, once per key, also after their account was erased. */
export async function mailPayer(
  context: LetterContext,
  payment: Bought & Pick<Tables["payment"], "payer_email">,
  key: string,
  letterOf: (site: Site) => Letter,
): Promise<void> {
  const to = (await findOwnEmail(context.db, payment.account_uid)) ?? payment.payer_email;
  if (to !== null) await mailAbout(context, payment, { key, to }, letterOf);
}

async function mailAbout(
  context: LetterContext,
  bought: Bought,
  { key, to }: { key: string; to: string },
  letterOf: (site: Site) => Letter,
) {
  const letter = letterOf(await findSite(context, bought.origin));
  const contract = await contractOf(context.db, bought);
  await sendMail(context.db, context.clock, { key, to, letter, contract });
}

/**
 * Finds the e-mail of a contract's person: that of the account, or the one that the proof keeps once the
 * account is erased. Null when none is kept any more.
 */
export async function findContractEmail(
  db: Database,
  { uid, account_uid }: Pick<SubscriptionRow, "uid" | "account_uid">,
): Promise<string | null> {
  return (await findOwnEmail(db, account_uid)) ?? (await findArchivedEmail(db, uid));
}

/** Finds the e-mail of who made a payment, whether or not it opened a contract; null when none is kept any more. */
export async function findPayerEmail(
  db: Database,
  payment: Tables["payment"],
): Promise<string | null> {
  const contract = await findContractOf(db, payment);
  if (contract) return findContractEmail(db, contract);
  return (await findOwnEmail(db, payment.account_uid)) ?? payment.payer_email;
}

/** The e-mail of an account; null once it is deleted. */
export async function findOwnEmail(db: Database, accountUid: string): Promise<string | null> {
  const account = await db
    .selectFrom("account")
    .select("identifier")
    .where("uid", "=", accountUid)
    .where("status", "!=", "deleted")
    .executeTakeFirst();
  return account?.identifier ?? null;
}

/** The e-mail that a proof keeps for its person. A mistyped one of the order may be a stranger's. */
export const archivedEmail = sql<
  string | null
>`coalesce(contract_proof.corrected_email, contract_proof.email)`;

async function findArchivedEmail(db: Database, subscriptionUid: string): Promise<string | null> {
  const proof = await db
    .selectFrom("contract_proof")
    .select(archivedEmail.as("email"))
    .where("subscription_uid", "=", subscriptionUid)
    .executeTakeFirst();
  return proof?.email ?? null;
}

async function contractOf(db: Database, bought: Bought): Promise<string | undefined> {
  if (bought.started_at !== undefined) return bought.uid;
  const newest = await selectNewestFirst(db, bought.account_uid).select("uid").executeTakeFirst();
  return newest?.uid;
}
