import { inTransaction } from "../database/transaction";
import type { z } from "zod/v4";
import type { passwordReset } from "../../../app/contract/accounts";
import { invalid } from "../http/refusal";
import { subjectOf } from "../../../app/contract/client-address";
import { hashSecret } from "../ports/ids";
import { resetFailures } from "./attempts";
import { rememberAddress } from "./known-address";
import { lockAccount } from "../database/account-lock";
import { setPassword } from "./new-password";
import { hashPassword } from "./passwords";
import { endSessions } from "./sessions";
import type { Caller, AccountContext } from "./context";

/**
 * Sets the password by a mailed link, once, and ends all sessions. Addresses that the account was known from
 * are forgotten: the old password may have been somebody else's, too. The link proves ownership, so its
 * address becomes known and its failures are reset: the owner can sign in at once.
 * @throws Refusal 400 on `token`, the same for an unknown, expired and used link
 */
export async function updatePassword(
  context: AccountContext,
  { token, password }: z.infer<typeof passwordReset>,
  { clientAddress, origin }: Caller,
) {
  // Checked before the costly hash, and again inside the transaction.
  await checkPasswordLink(context, token);
  const hash = await hashPassword(subjectOf(clientAddress), password);
  await inTransaction(context, async (within) => {
    const account = await findLinkedAccount(within, token);
    if (!account) throw badLink();
    await lockAccount(within.db, account.uid);
    if (!(await consumeLink(within, token))) throw badLink();
    const owner = { ...account, origin: account.origin ?? origin };
    if (!(await setPassword(within, owner, hash))) throw badLink();
    await endSessions(within, account.uid);
    await rememberAddress(within, account, clientAddress);
    await resetFailures(within, account.identifier, clientAddress);
  });
}

/**
 * Passes for a link that sets a password now, and uses nothing up: a page asks when it is opened.
 * @throws Refusal 400 on `token`, as `updatePassword`
 */
export async function checkPasswordLink(context: AccountContext, token: string) {
  if (!(await findLinkedAccount(context, token))) throw badLink();
}

async function findLinkedAccount({ db, clock }: AccountContext, token: string) {
  return db
    .selectFrom("password_reset")
    .innerJoin("account", "account.uid", "password_reset.account_uid")
    .select(["account.uid", "account.identifier", "account.origin"])
    .where("password_reset.secret_hash", "=", hashSecret(token))
    .where("password_reset.expires_at", ">", clock.now().toISOString())
    .where("account.status", "=", "active")
    .executeTakeFirst();
}

/** Deletes the link. Of several concurrent calls exactly one succeeds. */
async function consumeLink({ db }: AccountContext, token: string): Promise<boolean> {
  const used = await db
    .deleteFrom("password_reset")
    .where("secret_hash", "=", hashSecret(token))
    .returning("uid")
    .execute();
  return used.length > 0;
}

const badLink = () => invalid("token", "Unknown or expired link");
