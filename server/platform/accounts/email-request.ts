import { z } from "zod/v4";
import type { emailChange } from "../../../app/contract/accounts";
import { subjectOf } from "../../../app/contract/client-address";
import { lockAccount } from "../database/account-lock";
import type { Database } from "../database/tables";
import { inTransaction } from "../database/transaction";
import { invalid, Refusal } from "../http/refusal";
import type { Principal } from "../http/types";
import { scheduleDailyPurge } from "../jobs/purges";
import { enqueue } from "../jobs/queue";
import { limit, limitAddress } from "../limits/limit";
import * as rules from "../limits/rules";
import { links } from "../mail/links";
import { sendMail } from "../mail/outbox";
import type { TimedMails } from "../mail/sending";
import { checkOrigin, findSite, findTrustedSite } from "../mail/site";
import { HOUR_MS } from "../ports/durations";
import { hashSecret, newSecret, newUid } from "../ports/ids";
import { checkPassword, type Attempt } from "./attempts";
import { isTaken } from "./change-email";
import type { AccountContext, Caller } from "./context";
import { identifierKey } from "./identifier";
import { findPasswordHash } from "./store";

/** Kind of the job that writes to the new e-mail. */
export const EMAIL_CHANGE = "account.change-email";

export const EMAIL_LINK_MS = HOUR_MS;
const MAIL_KEY = "email-change:";

const work = z.object({ changeUid: z.string() });
type Asked = z.infer<typeof emailChange>;

/**
 * Asks for another e-mail, in place of an earlier request, and tells the mailbox of the account. A job looks up
 * whether the new one has an account, so that response, time and limits do not tell.
 * A coach's e-mail is left to the command: whoever learns the password would keep what all people tell coaches.
 * @throws Refusal 400 on `currentPassword` or `email`, 404 for a coach, 429; 400 when the site is called at an origin that is not
 *   confirmed
 */
export async function requestEmailChange(
  context: AccountContext,
  principal: Principal,
  { email, currentPassword }: Asked,
  caller: Caller,
) {
  if (principal.roles.coach) throw new Refusal(404, "A coach's e-mail is changed by the command");
  await checkOrigin(context, caller);
  const attempt = await countRequest(context, principal.uid, email, caller);
  const current = await findPasswordHash(context.db, principal.uid);
  if (!(await checkPassword(context, attempt, current, currentPassword))) throw wrongPassword();
  if (email === principal.identifier) throw ownEmail();
  await inTransaction(context, async (within) => {
    const { db } = within;
    await lockAccount(db, principal.uid);
    // Whoever knew the earlier password must not get a link once it is another one.
    if ((await findPasswordHash(db, principal.uid)) !== current) throw wrongPassword();
    await replaceRequest(within, principal.uid, email, caller.origin);
    await tellOwner(within, principal, caller.origin);
  });
}

/** Counts a request until the password is checked; those with a wrong one are limited like any other. */
async function countRequest(
  context: AccountContext,
  accountUid: string,
  email: string,
  { clientAddress }: Caller,
): Promise<Attempt> {
  const subject = subjectOf(clientAddress);
  const { subjects } = context;
  return inTransaction(context, async ({ db, clock }) => ({
    subject,
    failureEvents: [
      await limit(db, clock, rules.WRONG_CURRENT_PASSWORDS, subjects.of(accountUid, subject)),
    ],
    successEvents: [
      await limit(db, clock, rules.EMAIL_CHANGES, subjects.of(accountUid)),
      await limit(db, clock, rules.EMAIL_CHANGES_TO_MAILBOX, subjects.of(identifierKey(email))),
      await limitAddress(db, clock, rules.EMAIL_CHANGES_OF_ADDRESS, clientAddress),
    ],
  }));
}

async function replaceRequest(
  { db, clock }: AccountContext,
  accountUid: string,
  email: string,
  origin: string,
) {
  const now = clock.now();
  const uid = newUid();
  await db.deleteFrom("email_change").where("account_uid", "=", accountUid).execute();
  await db
    .insertInto("email_change")
    .values({
      uid,
      account_uid: accountUid,
      email,
      secret_hash: null,
      origin,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + EMAIL_LINK_MS).toISOString(),
    })
    .execute();
  const payload = { changeUid: uid };
  await enqueue(db, { kind: EMAIL_CHANGE, key: `${EMAIL_CHANGE}:${uid}`, payload, runAt: now });
  await scheduleDailyPurge(db, now);
}

/** The letter is the same whether or not the new e-mail is free. */
async function tellOwner(context: AccountContext, { uid, identifier }: Principal, asked: string) {
  const { db, clock } = context;
  const site = await findSite(context, await findOrigin(db, uid), asked);
  const [date, resetUrl] = [clock.now().toISOString(), links.passwordReset(site)];
  await sendMail(db, clock, {
    key: `email-change-asked:${newUid()}`,
    to: identifier,
    letter: { kind: "email-change-asked", site, date, resetUrl },
  });
}

/**
 * Mails the link to the new e-mail or, where that has an account, that it has one. The account is locked first, as by
 * whoever changes its password: what that one has deleted is not mailed.
 */
export async function mailEmailLink(context: AccountContext, payload: unknown) {
  const { changeUid } = work.parse(payload);
  await inTransaction(context, async (within) => {
    const { db, clock } = within;
    const known = await findUnmailed(db, changeUid);
    if (known) await lockAccount(db, known.account_uid);
    const change = known && (await findUnmailed(db, changeUid));
    if (!change || change.expires_at <= clock.now().toISOString()) return;
    // The host of the request is chosen by its sender, so the owner's last origin comes first.
    const own = await findOrigin(db, change.account_uid);
    const site = await findTrustedSite(within, own, change.origin);
    if (await isTaken(db, change.account_uid, change.email)) {
      const [date, resetUrl] = [clock.now().toISOString(), links.passwordReset(site)];
      const letter = { kind: "email-taken", site, date, resetUrl } as const;
      return sendMail(db, clock, { key: `email-taken:${change.uid}`, to: change.email, letter });
    }
    const secret = newSecret();
    await db
      .updateTable("email_change")
      .set({ secret_hash: hashSecret(secret) })
      .where("uid", "=", change.uid)
      .execute();
    await sendMail(db, clock, {
      key: MAIL_KEY + change.uid,
      to: change.email,
      letter: {
        kind: "email-change",
        site,
        validUntil: change.expires_at,
        confirmUrl: links.emailChange(site, secret),
      },
    });
  });
}

async function findUnmailed(db: Database, uid: string) {
  return db
    .selectFrom("email_change")
    .selectAll()
    .where("uid", "=", uid)
    .where("secret_hash", "is", null)
    .executeTakeFirst();
}

async function findOrigin(db: Database, accountUid: string): Promise<string | null> {
  const account = db.selectFrom("account").select("origin").where("uid", "=", accountUid);
  return (await account.executeTakeFirst())?.origin ?? null;
}

/** A mail whose link is over, was replaced, or went with another password, is not sent any more. */
export const emailMails = ({ db }: Pick<AccountContext, "db">): TimedMails => ({
  async findLimit(key, sentAt) {
    if (!key.startsWith(MAIL_KEY)) return null;
    const change = await db
      .selectFrom("email_change")
      .select("expires_at")
      .where("uid", "=", key.slice(MAIL_KEY.length))
      .where("expires_at", ">", sentAt.toISOString())
      .executeTakeFirst();
    return change ? new Date(change.expires_at) : "void";
  },
  async recordSent() {},
});

const ownEmail = () =>
  new Refusal(400, "Validation failed", [
    { property: "email", message: "The account has this e-mail", type: "duplicate" },
  ]);

const wrongPassword = () => invalid("currentPassword", "Wrong password");
