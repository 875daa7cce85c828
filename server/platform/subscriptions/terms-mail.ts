import { dateOfEffect, findCurrentTerms, type TermsVersion } from "../content/terms";
import type { Database } from "../database/tables";
import type { TimedMails } from "../mail/sending";
import type { SubscriptionContext } from "./context";
import {
  findSubscription,
  lockSubscription,
  type SubscriptionRow,
} from "../database/subscription-row";
import { findPlannedStop } from "./planned-stop";
import { updateSubscription } from "./store";
import { findTermsOf } from "./terms-in-force";

/** Key of a mail that announces a version to a contract. It may be announced again if it did not arrive. */
export const termsMailKey = (version: number, contract: string, writtenAt: Date) =>
  `${keysOf(version)}${writtenAt.toISOString()}:${contract}`;

const keysOf = (version: number) => `terms:changed:${version}:`;

/** The version and the contract of such a mail; undefined for every other mail. */
function readKey(key: string) {
  const found = /^terms:changed:(\d+):.+:([^:]+)$/.exec(key);
  return found?.[2] === undefined ? undefined : { number: Number(found[1]), uid: found[2] };
}

/** Pattern of the keys of all mails that announce a version. */
export const announces = (version: number) => `${keysOf(version)}%`;

/** Tells whether a mail that announces the version to the contract is still to be sent. */
export async function isAnnouncing(db: Database, version: number, contract: string) {
  const mail = await db
    .selectFrom("contract_mail")
    .innerJoin("mail", "mail.uid", "contract_mail.uid")
    .select("mail.uid")
    .where("contract_mail.subscription_uid", "=", contract)
    .where("mail.key", "like", announces(version))
    .where("mail.sent_at", "is", null)
    .where("mail.given_up_at", "is", null)
    .executeTakeFirst();
  return mail !== undefined;
}

/**
 * The mails that announce a version: its date counts from their sending, and the contract has neither
 * before. One whose version was replaced, or whose contract is stopped before that date, is not sent.
 */
export const createTermsMails = (context: Pick<SubscriptionContext, "db">): TimedMails => ({
  async findLimit(key, sentAt) {
    const named = readKey(key);
    if (!named) return null;
    const version = await findCurrentTerms(context.db);
    const contract = await findSubscription(context.db, named.uid);
    if (version?.number !== named.number || !contract) return "void";
    const appliesAt = dateOfEffect(sentAt, version.applies);
    return (await isStopped(context.db, contract, appliesAt)) ? "void" : appliesAt;
  },
  async recordSent(db, key, sentAt) {
    const { number = 0, uid = "" } = readKey(key) ?? {};
    const contract = await lockSubscription(db, uid);
    const version = await findVersion(db, number);
    // The server may confirm a mail late, when it was deleted and another one replaces it.
    if (!contract || !version || !(await isAnnouncing(db, number, uid))) return;
    await recordAnnounced(db, contract, version, sentAt);
  },
});

async function isStopped(db: Database, contract: SubscriptionRow, at: Date) {
  if (contract.ended_at !== null || contract.cancelled_at !== null) return true;
  return (await findPlannedStop(db, contract, at.toISOString())) !== undefined;
}

const findVersion = (db: Database, number: number) =>
  db.selectFrom("terms_version").selectAll().where("number", "=", number).executeTakeFirst();

/** Notes the version with its date at the contract, which shows the same date as the mail. */
async function recordAnnounced(
  db: Database,
  contract: SubscriptionRow,
  { digest, applies }: TermsVersion,
  toldAt: Date,
) {
  const { inForce } = await findTermsOf(db, contract, toldAt);
  await updateSubscription(db, contract.uid, {
    terms_digest: digest,
    terms_before: inForce.digest,
    terms_before_from: inForce.since,
    terms_apply_at: dateOfEffect(toldAt, applies).toISOString(),
    terms_told_at: toldAt.toISOString(),
  });
}
