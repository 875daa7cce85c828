import type { z } from "zod/v4";
import type { credentials } from "../../../app/contract/accounts";
import { Refusal, unauthorized } from "../http/refusal";
import { newUid } from "../ports/ids";
import { rolesOf } from "../subscriptions/roles";
import { passwordMatches } from "./passwords";
import { findAccountByIdentifier } from "./store";
import type { World } from "./world";

/**
 * Opens a session and gives its token. Unknown and wrong get the same answer in the same time; only
 * who knows the password learns that the account is blocked.
 * @throws Refusal 401, 403 when blocked
 */
export async function signIn(
  { db, clock, tokens }: World,
  { identifier, password }: z.infer<typeof credentials>,
): Promise<string> {
  const account = await findAccountByIdentifier(db, identifier);
  const matches = await passwordMatches(account?.password_hash ?? null, password);
  if (!account || !matches) throw unauthorized("Wrong identifier or password");
  if (account.status === "blocked") throw new Refusal(403, "Account blocked");
  const session = newUid();
  await db
    .insertInto("account_session")
    .values({
      uid: session,
      account_uid: account.uid,
      created_at: clock.now().toISOString(),
      ended_at: null,
    })
    .execute();
  const acl = await rolesOf(db, account.uid, clock.now());
  return tokens.sign({ uid: account.uid, identifier: account.identifier, acl, session });
}
