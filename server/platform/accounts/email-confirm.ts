import { lockActiveAccount } from "../database/account-lock";
import type { Database } from "../database/tables";
import { inTransaction } from "../database/transaction";
import { invalid, Refusal } from "../http/refusal";
import { hashSecret } from "../ports/ids";
import { rolesOf } from "../subscriptions/roles";
import { giveEmail, isTaken } from "./change-email";
import type { AccountContext } from "./context";

/**
 * Changes the e-mail by the link that was mailed to it, once. The owner is signed in: a mistyped address may be a
 * stranger's, who reads the link. All sessions end.
 * @throws Refusal 400 on `token`, the same for an unknown, expired, replaced and used link, for that of another account,
 *   and when the e-mail has got an account since; 409 while a declaration of the owner is being processed
 */
export async function confirmEmailChange(
  context: AccountContext,
  accountUid: string,
  token: string,
) {
  const email = await checkEmailLink(context, accountUid, token);
  const obstacle = await inTransaction(context, (within) =>
    applyChange(within, accountUid, token),
  ).catch(async (error: unknown) => {
    // Somebody registers with the e-mail at the same time: only one of the two is written.
    if (await isTaken(context.db, accountUid, email)) return "taken" as const;
    throw error;
  });
  if (obstacle === "pending") throw new Refusal(409, "A declaration is being processed");
  if (obstacle !== null) throw badLink();
}

async function applyChange(within: AccountContext, accountUid: string, token: string) {
  const { db } = within;
  if (!(await lockActiveAccount(db, accountUid))) return "dead" as const;
  const change = await findLinked(within, accountUid, token);
  const account = change && (await findAccount(db, accountUid));
  return account ? giveEmail(within, account, change.email) : ("dead" as const);
}

/**
 * The e-mail that a link gives the account now. It uses nothing up: a page asks when it is opened.
 * @throws Refusal 400 on `token`, as `confirmEmailChange`
 */
export async function checkEmailLink(
  context: AccountContext,
  accountUid: string,
  token: string,
): Promise<string> {
  const change = await findLinked(context, accountUid, token);
  if (!change || (await isTaken(context.db, accountUid, change.email))) throw badLink();
  return change.email;
}

async function findLinked({ db, clock }: AccountContext, accountUid: string, token: string) {
  // Who has become a coach since: as in `requestEmailChange`.
  if ((await rolesOf(db, accountUid, clock.now())).coach) return undefined;
  return db
    .selectFrom("email_change")
    .select("email")
    .where("account_uid", "=", accountUid)
    .where("secret_hash", "=", hashSecret(token))
    .where("expires_at", ">", clock.now().toISOString())
    .executeTakeFirst();
}

async function findAccount(db: Database, uid: string) {
  return db
    .selectFrom("account")
    .select(["uid", "identifier", "origin"])
    .where("uid", "=", uid)
    .executeTakeFirst();
}

const badLink = () => invalid("token", "Unknown or expired link");
