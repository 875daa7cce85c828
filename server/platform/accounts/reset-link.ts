import { HOUR_MS } from "../ports/durations";
import type { Database } from "../database/tables";
import { links } from "../mail/links";
import { sendMail } from "../mail/outbox";
import type { TimedMails } from "../mail/sending";
import { findTrustedSite } from "../mail/site";
import { hashSecret, newSecret, newUid } from "../ports/ids";
import { lockAccount } from "../database/account-lock";
import type { AccountContext } from "./context";

export const RESET_LINK_MS = HOUR_MS;
/** Valid links of one account. Each is valid for an hour, so this also limits the mails per hour. */
const MAX_LINKS = 3;

const MAIL_KEY = "password-reset:";

type ResetAccount = { uid: string; identifier: string; origin: string | null };

/**
 * Mails a reset link to a locked account. Earlier links stay valid, because mails may arrive in another order.
 * @param origin where the link was asked for
 */
export async function mailResetLink(
  context: AccountContext,
  account: ResetAccount,
  origin: string,
) {
  const { db, clock } = context;
  const now = clock.now();
  if ((await countLinks(db, account.uid, now)) >= MAX_LINKS) return;
  const { uid, secret, validUntil } = await addResetLink(db, account.uid, now, RESET_LINK_MS);
  // The host of the request is chosen by its sender, so the owner's last origin comes first.
  const site = await findTrustedSite(context, account.origin, origin);
  await sendMail(db, clock, {
    key: MAIL_KEY + uid,
    to: account.identifier,
    letter: {
      kind: "password-reset",
      site,
      validUntil,
      resetUrl: links.passwordUpdate(site, secret),
    },
  });
}

/** A mail whose link is over, or went when another one was used, is not sent any more. */
export const resetMails = ({ db }: Pick<AccountContext, "db">): TimedMails => ({
  async findLimit(key, sentAt) {
    if (!key.startsWith(MAIL_KEY)) return null;
    const link = await db
      .selectFrom("password_reset")
      .select("expires_at")
      .where("uid", "=", key.slice(MAIL_KEY.length))
      .where("expires_at", ">", sentAt.toISOString())
      .executeTakeFirst();
    return link ? new Date(link.expires_at) : "void";
  },
  async recordSent() {},
});

/** Adds a secret that sets the password once; only its hash is stored. */
export async function addResetLink(db: Database, accountUid: string, now: Date, validMs: number) {
  const [uid, secret] = [newUid(), newSecret()];
  const validUntil = new Date(now.getTime() + validMs).toISOString();
  await db
    .insertInto("password_reset")
    .values({
      uid,
      account_uid: accountUid,
      secret_hash: hashSecret(secret),
      created_at: now.toISOString(),
      expires_at: validUntil,
    })
    .execute();
  return { uid, secret, validUntil };
}

/** Locks the active account of an e-mail and reads it again: it may have been deleted in between. */
export async function lockActive(db: Database, identifierKey: string) {
  const known = await findActive(db, identifierKey);
  if (known) await lockAccount(db, known.uid);
  return known && findActive(db, identifierKey);
}

async function findActive(db: Database, identifierKey: string) {
  return db
    .selectFrom("account")
    .select(["uid", "identifier", "origin"])
    .where("identifier_key", "=", identifierKey)
    .where("status", "=", "active")
    .executeTakeFirst();
}

async function countLinks(db: Database, accountUid: string, now: Date) {
  const { count } = await db
    .selectFrom("password_reset")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("account_uid", "=", accountUid)
    .where("expires_at", ">", now.toISOString())
    .executeTakeFirstOrThrow();
  return count;
}
