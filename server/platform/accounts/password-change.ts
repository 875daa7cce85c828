import { inTransaction } from "../database/transaction";
import type { z } from "zod/v4";
import type { passwordChange } from "../../../app/contract/accounts";
import { invalid } from "../http/refusal";
import type { Principal } from "../http/types";
import { limit } from "../limits/limit";
import { PASSWORD_CHANGES, PASSWORDS_CHANGED } from "../limits/rules";
import { subjectOf } from "../../../app/contract/client-address";
import { provePassword } from "./attempts";
import { setPassword } from "./new-password";
import { hashPassword } from "./passwords";
import { endSessions } from "./sessions";
import { findPasswordHash } from "./store";
import type { Caller, AccountContext } from "./context";

/**
 * Replaces the password of who knows it, and ends all their other sessions.
 * @throws Refusal 400 on `currentPassword`, 429 after too many wrong ones or changes
 */
export async function changePassword(
  context: AccountContext,
  principal: Principal,
  { currentPassword, password }: z.infer<typeof passwordChange>,
  { clientAddress, origin }: Caller,
) {
  const { db, clock, subjects } = context;
  const whose = subjectOf(clientAddress);
  const here = subjects.of(principal.uid, whose);
  const attempt = await db.transaction().execute(async (transaction) => ({
    whose,
    ifWrong: [await limit(transaction, clock, PASSWORD_CHANGES, here)],
    ifRight: [await limit(transaction, clock, PASSWORDS_CHANGED, subjects.of(principal.uid))],
  }));
  const current = await findPasswordHash(db, principal.uid);
  if (!(await provePassword(context, attempt, current, currentPassword))) throw wrong();
  const hash = await hashPassword(whose, password);
  await inTransaction(context, async (within) => {
    // Of two changes at once the second would replace a password it was not asked for.
    if (!(await setPassword(within, { ...principal, origin }, hash, current))) throw wrong();
    await endSessions(within, principal.uid, principal.sessionUid);
  });
}

const wrong = () => invalid("currentPassword", "Wrong password");
