import { inTransaction } from "../database/transaction";
import type { z } from "zod/v4";
import type { credentials } from "../../../app/contract/accounts";
import { Refusal, unauthorized } from "../http/refusal";
import { rolesOf } from "../subscriptions/roles";
import { countSignIn, provePassword } from "./attempts";
import { rememberAddress } from "./known-address";
import { lockAccount } from "./lock";
import { openSession } from "./sessions";
import { findAccountByIdentifier, findPasswordHash, noteSignIn } from "./store";
import type { Caller, AccountContext } from "./context";

type Account = NonNullable<Awaited<ReturnType<typeof findAccountByIdentifier>>>;

/**
 * Opens a session and gives its token. Unknown and wrong get the same answer in the same time; only
 * who knows the password learns that the account is blocked.
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
  const matches = await provePassword(context, attempt, account?.password_hash ?? null, password);
  if (!account || !matches) throw wrong();
  if (account.status === "blocked") throw new Refusal(403, "Account blocked");
  const session = await openCheckedSession(context, account, caller);
  const acl = await rolesOf(db, account.uid, clock.now());
  return tokens.sign({ uid: account.uid, identifier: account.identifier, acl, session });
}

/** A password that was changed in the meantime opens nothing any more. */
async function openCheckedSession(
  context: AccountContext,
  account: Account,
  { clientAddress, ...caller }: Caller,
) {
  return inTransaction(context, async (within) => {
    const { db } = within;
    await lockAccount(db, account.uid);
    if ((await findPasswordHash(db, account.uid)) !== account.password_hash) throw wrong();
    await noteSignIn(db, account.uid, caller.origin, context.clock.now());
    await rememberAddress(within, account, clientAddress);
    return openSession(within, account.uid, caller.clientAgent);
  });
}

const wrong = () => unauthorized("Wrong identifier or password");
