import { inTransaction } from "../database/transaction";
import type { z } from "zod/v4";
import type { credentials } from "../../../app/contract/accounts";
import { Refusal, unauthorized } from "../http/refusal";
import { rolesOf } from "../subscriptions/roles";
import { countSignIn, checkPassword } from "./attempts";
import { rememberAddress } from "./known-address";
import { lockAccount } from "../database/account-lock";
import { openSession } from "./sessions";
import { findAccountByIdentifier, findPasswordHash, recordSignIn } from "./store";
import type { Caller, AccountContext } from "./context";

type Account = NonNullable<Awaited<ReturnType<typeof findAccountByIdentifier>>>;

/**
 * Opens a session and returns its token. An unknown account and a wrong password get the same
 * response in the same time. That an account is blocked is told only after the right password.
 * @throws Refusal 401, 403 when blocked, 429 after too many failures
 */
export async function signIn(
  context: AccountContext,
  { identifier, password }: z.infer<typeof credentials>,
  caller: Caller,
): Promise<string> {
  const { db, clock, tokens } = context;
  const attempt = await countSignIn(context, identifier, caller.clientAddress);
  const account = await findAccountByIdentifier(db, identifier);
  const matches = await checkPassword(context, attempt, account?.password_hash ?? null, password);
  if (!account || !matches) throw wrongPassword();
  if (account.status === "blocked") throw new Refusal(403, "Account blocked");
  const session = await openCheckedSession(context, account, caller);
  const acl = await rolesOf(db, account.uid, clock.now());
  return tokens.sign({ uid: account.uid, identifier: account.identifier, acl, session });
}

/** Opens the session unless the password was changed since it was checked. */
async function openCheckedSession(
  context: AccountContext,
  account: Account,
  { clientAddress, ...caller }: Caller,
) {
  return inTransaction(context, async (within) => {
    const { db } = within;
    await lockAccount(db, account.uid);
    if ((await findPasswordHash(db, account.uid)) !== account.password_hash) throw wrongPassword();
    await recordSignIn(db, account.uid, caller.origin, context.clock.now());
    await rememberAddress(within, account, clientAddress);
    return openSession(within, account.uid, caller.clientAgent);
  });
}

const wrongPassword = () => unauthorized("Wrong identifier or password");
