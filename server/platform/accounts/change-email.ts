import { inTransaction } from "../database/transaction";
import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import { newUid } from "../ports/ids";
import { findRunning } from "../subscriptions/lookup";
import { hasPendingNotice } from "../subscriptions/pending-notices";
import { announceToNewAddress } from "../subscriptions/terms-change";
import { CHANGE_AT_PROVIDER } from "../money/provider-customer";
import { moveDiscussions } from "../support/move-discussions";
import { correctContracts, PENDING, mailBothMailboxes, type EmailContext } from "./corrected-email";
import { forgetAccess } from "./forget-access";
import { identifierKey } from "./identifier";
import { lockAccount } from "../database/account-lock";
import { endSessions } from "./sessions";
import { findAccountByIdentifier } from "./store";

type Change = { from: string; to: string };

/**
 * Corrects the e-mail of an account at its owner's request to the site's owner (RGPD, article 16).
 * @returns the uid of the account
 * @throws Error in one line when there is no such account, or the new e-mail belongs to another one
 */
export async function changeEmail(context: EmailContext, { from, to }: Change): Promise<string> {
  return inTransaction(context, async (within) => {
    const account = await lockExisting(within.db, from);
    const obstacle = await giveEmail(within, account, to);
    if (obstacle === "taken") throw new Error(`${to} belongs to another account`);
    if (obstacle === "pending") throw new Error(PENDING);
    return account.uid;
  });
}

/**
 * Gives a locked account another e-mail, in the caller's transaction. What proves a contract keeps
 * the e-mail of its order, but is found and mailed by the new one. Whoever reads the earlier mailbox may be somebody else: all sessions end, and the
 * mailed links into the account are void. Those of contact requests stay, because a contact request is its
 * mailbox's. Those that undo or confirm a declaration are replaced, and mailed to the new one. The password stays,
 * because its owner knows it and no mail contains it.
 * @returns why nothing was changed: another account has the e-mail, or a declaration has to be applied first
 */
export async function giveEmail(
  within: EmailContext,
  account: Account,
  to: string,
): Promise<"taken" | "pending" | null> {
  const { db } = within;
  if (await isTaken(db, account.uid, to)) return "taken";
  if (await hasPendingNotice(within, account.uid)) return "pending";
  const changed = { identifier: to, identifier_key: identifierKey(to) };
  await db.updateTable("account").set(changed).where("uid", "=", account.uid).execute();
  await moveDiscussions(db, account.uid, { email: to, email_key: identifierKey(to) });
  const repeated = await correctContracts(within, account.uid, to);
  const running = await findRunning(db, account.uid);
  if (running) await announceToNewAddress(within, running);
  await endSessions(within, account.uid);
  await forgetAccess(db, account);
  const { identifier: former, origin } = account;
  await mailBothMailboxes(within, { former, to, origin, repeated, isOfContract: false });
  await enqueue(db, {
    kind: CHANGE_AT_PROVIDER,
    key: `${CHANGE_AT_PROVIDER}:${newUid()}`,
    payload: { accountUid: account.uid },
    runAt: within.clock.now(),
  });
  return null;
}

type Account = { uid: string; identifier: string; origin: string | null };

/** Reads the account after locking it: it may be changed or deleted meanwhile. */
async function lockExisting(db: Database, email: string): Promise<Account> {
  const known = await findAccountByIdentifier(db, email);
  if (known) await lockAccount(db, known.uid);
  const account = known && (await findAccountByIdentifier(db, email));
  if (!account) {
    const hint = "once it is deleted, give the reference of its contract";
    throw new Error(`There is no account ${email}: ${hint}`);
  }
  return account;
}

/** Whether another account has the e-mail. Other capitals of one's own are no other account. */
export async function isTaken(db: Database, accountUid: string, email: string): Promise<boolean> {
  const other = await findAccountByIdentifier(db, email);
  return other !== undefined && other.uid !== accountUid;
}
