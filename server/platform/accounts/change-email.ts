import { z } from "zod/v4";
import { inTransaction } from "../database/transaction";
import type { Context } from "../database/context";
import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import type { EarlierMail } from "../mail/letters";
import { links } from "../mail/links";
import { sendMail } from "../mail/outbox";
import { findSite } from "../mail/site";
import { newUid } from "../ports/ids";
import { findRunning, selectNewestFirst, type Subscription } from "../subscriptions/lookup";
import { voidLinks } from "../subscriptions/notice-links";
import { hasPendingNotice } from "../subscriptions/pending-notices";
import { announceToNewAddress } from "../subscriptions/terms-change";
import { moveDiscussions } from "../support/move-discussions";
import { forgetAccess } from "./forget-access";
import { identifierKey } from "./identifier";
import { lockAccount } from "./lock";
import { endSessions } from "./sessions";
import { findAccountByIdentifier } from "./store";

/** Kind of the job that gives a customer their new e-mail at the payment provider. */
export const CHANGE_AT_PROVIDER = "account.change-at-provider";

export const changeWork = z.object({ accountUid: z.string() });

type EmailContext = Omit<Context, "log">;
type Change = { from: string; to: string };

/**
 * Corrects the e-mail of an account at its owner's request (RGPD, article 16). What proves a contract keeps
 * the e-mail of its order, but is found and mailed by the new one. Whoever reads the earlier mailbox may be somebody else: all sessions end, and the
 * mailed links into the account are void. Those of contact requests stay, because a contact request is its
 * mailbox's. Those that undo or confirm a declaration are replaced, and mailed to the new one. The password stays,
 * because its owner knows it and no mail contains it.
 * @returns the uid of the account
 * @throws Error in one line when there is no such account, or the new e-mail belongs to another one
 */
export async function changeEmail(context: EmailContext, { from, to }: Change): Promise<string> {
  return inTransaction(context, async (within) => {
    const { db } = within;
    const account = await lockExisting(db, from);
    await refuseTaken(db, account.uid, to);
    if (await hasPendingNotice(within, account.uid)) {
      throw new Error("A declaration of that person is being processed: try again in a minute");
    }
    const changed = { identifier: to, identifier_key: identifierKey(to) };
    await db.updateTable("account").set(changed).where("uid", "=", account.uid).execute();
    await moveDiscussions(db, account.uid, { email: to, email_key: identifierKey(to) });
    await correctProofs(db, account.uid, to);
    await moveContractMails(db, account.uid, to);
    const running = await findRunning(db, account.uid);
    if (running) await announceToNewAddress(within, running);
    const voided = await voidLinks(within, account.uid);
    const newest = await selectNewestFirst(db, account.uid).selectAll().executeTakeFirst();
    await endSessions(within, account.uid);
    await forgetAccess(db, account);
    const earlier = newest ? await findWritten(db, newest, voided) : [];
    await tellBoth(within, account, { to, earlier });
    await enqueue(db, {
      kind: CHANGE_AT_PROVIDER,
      key: `${CHANGE_AT_PROVIDER}:${newUid()}`,
      payload: { accountUid: account.uid },
      runAt: within.clock.now(),
    });
    return account.uid;
  });
}

type Account = { uid: string; identifier: string; origin: string | null };

/** Reads the account after locking it: it may be changed or deleted meanwhile. */
async function lockExisting(db: Database, email: string): Promise<Account> {
  const known = await findAccountByIdentifier(db, email);
  if (known) await lockAccount(db, known.uid);
  const account = known && (await findAccountByIdentifier(db, email));
  if (!account) throw new Error(`There is no account ${email}`);
  return account;
}

/** Other capitals of one's own e-mail are no other account. */
async function refuseTaken(db: Database, uid: string, email: string) {
  const other = await findAccountByIdentifier(db, email);
  if (other && other.uid !== uid) throw new Error(`${email} belongs to another account`);
}

const selectContracts = (db: Database, accountUid: string) =>
  db.selectFrom("subscription").select("uid").where("account_uid", "=", accountUid);

/** A contract outlives the profile: what follows from it is for the person, too. */
async function correctProofs(db: Database, accountUid: string, email: string) {
  await db
    .updateTable("contract_proof")
    .set({ corrected_email: email })
    .where("subscription_uid", "in", selectContracts(db, accountUid))
    .execute();
}

/** Mails about the contract that did not go out yet are for the person, not for the mailbox. */
async function moveContractMails(db: Database, accountUid: string, recipient: string) {
  const own = db
    .selectFrom("contract_mail")
    .select("uid")
    .where("subscription_uid", "in", selectContracts(db, accountUid));
  await db
    .updateTable("mail")
    .set({ recipient })
    .where("uid", "in", own)
    .where("sent_at", "is", null)
    .where("given_up_at", "is", null)
    .execute();
}

/**
 * What was written to the mailbox of what matters: the confirmation of the contract, and all since its period
 * began. A mailbox that does not exist has got none of it.
 * @param replaced keys of mails that are written anew, with links that work
 */
async function findWritten(
  db: Database,
  contract: Subscription,
  replaced: readonly string[],
): Promise<EarlierMail[]> {
  const anew = db.selectFrom("mail").select("uid").where("key", "in", replaced);
  const since = contract.period_start ?? contract.started_at;
  const written = await db
    .selectFrom("contract_mail")
    .select(["subject", "text", "sent_at"])
    .where("subscription_uid", "=", contract.uid)
    .where((e) => e.or([e("sent_at", "is not", null), e("given_up_at", "is not", null)]))
    .where((e) => e.or([e("kind", "=", "welcome"), e("created_at", ">=", since)]))
    .$if(replaced.length > 0, (written) => written.where("uid", "not in", anew))
    .orderBy("created_at")
    .orderBy("uid")
    .execute();
  return written.map(({ subject, text, sent_at: sentAt }) => ({ subject, text, sentAt }));
}

/** Neither letter names the other e-mail: the earlier mailbox may be a stranger's. */
async function tellBoth(
  context: EmailContext,
  { identifier, origin }: Account,
  { to, earlier }: { to: string; earlier: readonly EarlierMail[] },
) {
  const { db, clock } = context;
  const site = await findSite(context, origin);
  const date = clock.now().toISOString();
  const key = `email-changed:${newUid()}`;
  const letter = { kind: "email-changed", site, date } as const;
  await sendMail(db, clock, {
    key: `${key}:former`,
    to: identifier,
    letter: { ...letter, isFormer: true, earlier: [], url: links.contact(site) },
  });
  await sendMail(db, clock, {
    key,
    to,
    letter: { ...letter, isFormer: false, earlier, url: links.account(site) },
  });
}
