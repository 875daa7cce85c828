import type { TermsAcceptance } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import type { Payment } from "../money/payments";

type Acceptance = Pick<TermsAcceptance, "by" | "dateTime">;

/**
 * Tells whether the version is the one that a person accepted last. Only what they accepted themselves
 * counts: that they were told of a version does not make it accepted.
 */
export async function hasAcceptedLast(db: Database, accountUid: string, digest: string) {
  const ordered = await selectAccepted(db, accountUid).executeTakeFirst();
  const accepted = ordered ?? (await readRegistration(db, accountUid));
  return accepted.digest === digest;
}

/** How the terms of an order were accepted; null where its person was not asked, or nothing tells. */
export async function findAcceptance(
  db: Database,
  { account_uid, terms_digest, terms_accepted_at }: Payment,
): Promise<Acceptance | null> {
  if (terms_digest === null) return null;
  if (terms_accepted_at !== null) return { by: "order", dateTime: terms_accepted_at };
  const ordered = await selectAccepted(db, account_uid)
    .where("terms_digest", "=", terms_digest)
    .executeTakeFirst();
  if (ordered?.at) return { by: "earlier-order", dateTime: ordered.at };
  const { digest, at } = await readRegistration(db, account_uid);
  return digest === terms_digest && at !== null ? { by: "registration", dateTime: at } : null;
}

/** Orders with which a version was accepted, also those that were not paid. The newest is first. */
const selectAccepted = (db: Database, accountUid: string) =>
  db
    .selectFrom("payment")
    .select(["terms_digest as digest", "terms_accepted_at as at"])
    .where("account_uid", "=", accountUid)
    .where("terms_accepted_at", "is not", null)
    .orderBy("terms_accepted_at", "desc")
    .limit(1);

const readRegistration = (db: Database, accountUid: string) =>
  db
    .selectFrom("account")
    .select(["terms_digest as digest", "terms_accepted_at as at"])
    .where("uid", "=", accountUid)
    .executeTakeFirstOrThrow();
