import { DAY_MS } from "../ports/durations";
import { WORN_LINK } from "../../../app/contract/support";
import { unauthorized } from "../http/refusal";
import { hashSecret, newSecret, newUid } from "../ports/ids";
import { scheduleDailyPurge } from "../jobs/purges";
import { inTransaction } from "../database/transaction";
import { resetSubject } from "../limits/limit";
import { LINK_MAILS, TICKET_MAILS } from "../limits/rules";
import type { SupportContext } from "./context";

export const LINK_DAYS = 30;

export type Link = { uid: string; email_key: string };

/** Creates a secret that opens the contact tickets of an e-mail; it is only ever mailed. */
export async function issueLink({ db, clock }: SupportContext, emailKey: string) {
  const secret = newSecret();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + LINK_DAYS * DAY_MS).toISOString();
  await db
    .insertInto("support_link")
    .values({
      uid: newUid(),
      email_key: emailKey,
      secret_hash: hashSecret(secret),
      created_at: now.toISOString(),
      expires_at: expiresAt,
      revoked_at: null,
    })
    .execute();
  await scheduleDailyPurge(db, now);
  return { secret, expiresAt };
}

/**
 * Finds the link of a secret. It can be used many times, because mail scanners open links too.
 * @throws Refusal 401 for a secret that is unknown, expired or revoked
 */
export async function openLink({ db, clock }: SupportContext, secret: string): Promise<Link> {
  const link = await db
    .selectFrom("support_link")
    .select(["uid", "email_key", "expires_at", "revoked_at"])
    .where("secret_hash", "=", hashSecret(secret))
    .executeTakeFirst();
  if (!link) throw unauthorized("Unknown link");
  if (link.revoked_at || link.expires_at <= clock.now().toISOString()) {
    throw unauthorized(WORN_LINK);
  }
  return link;
}

/**
 * Revokes all links of the e-mail of one: nobody can tell from which mail a link came to others. The mails
 * that were sent count no longer, because none of them has a link that works.
 */
export async function revokeLinks(context: SupportContext, { email_key }: Link) {
  await inTransaction(context, async ({ db, clock }) => {
    await db
      .updateTable("support_link")
      .set({ revoked_at: clock.now().toISOString() })
      .where("email_key", "=", email_key)
      .where("revoked_at", "is", null)
      .execute();
    const subject = mailboxSubject(context, email_key);
    await resetSubject(db, LINK_MAILS, subject);
    await resetSubject(db, TICKET_MAILS, subject);
  });
}

/** The subject for counting a mailbox: a hash, because anybody may have typed its address. */
export const mailboxSubject = ({ subjects }: Pick<SupportContext, "subjects">, emailKey: string) =>
  subjects.of("mailbox", emailKey);
