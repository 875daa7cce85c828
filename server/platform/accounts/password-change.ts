import { inTransaction } from "../database/transaction";
import type { z } from "zod/v4";
import type { passwordChange } from "../../../app/contract/accounts";
import { invalid } from "../http/refusal";
import type { Principal } from "../http/types";
import { limit } from "../limits/limit";
import { WRONG_CURRENT_PASSWORDS, PASSWORD_CHANGES } from "../limits/rules";
import { subjectOf } from "../../../app/contract/client-address";
import { checkPassword } from "./attempts";
import { rememberAddress } from "./known-address";
import { setPassword } from "./new-password";
import { hashPassword } from "./passwords";
import { endSessions } from "./sessions";
import { findPasswordHash } from "./store";
import type { Caller, AccountContext } from "./context";

/**
 * Replaces the password after checking the current one, and ends the account's other sessions.
 * @throws Refusal 400 on `currentPassword`, 429 after too many wrong ones or changes
 */
export async function changePassword(
  context: AccountContext,
  principal: Principal,
  { currentPassword, password }: z.infer<typeof passwordChange>,
  { clientAddress, origin }: Caller,
) {
  const { db, subjects } = context;
  const subject = subjectOf(clientAddress);
  const here = subjects.of(principal.uid, subject);
  const attempt = await inTransaction(context, async ({ db, clock }) => ({
    subject,
    failureEvents: [await limit(db, clock, WRONG_CURRENT_PASSWORDS, here)],
    successEvents: [await limit(db, clock, PASSWORD_CHANGES, subjects.of(principal.uid))],
  }));
  const current = await findPasswordHash(db, principal.uid);
  if (!(await checkPassword(context, attempt, current, currentPassword))) throw wrongPassword();
  const hash = await hashPassword(subject, password);
  await inTransaction(context, async (within) => {
    // A concurrent change fails here: the password it checked is no longer the current one.
    if (!(await setPassword(within, { ...principal, origin }, hash, current)))
      throw wrongPassword();
    await endSessions(within, principal.uid, principal.sessionUid);
    await rememberAddress(within, principal, clientAddress);
  });
}

const wrongPassword = () => invalid("currentPassword", "Wrong password");
