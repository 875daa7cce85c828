import { inTransaction } from "../database/transaction";
import { forgetEvent, forgetSubject, limit, limitWithLock } from "../limits/limit";
import * as rules from "../limits/rules";
import { subjectOf } from "../../../app/contract/client-address";
import { identifierKey } from "./identifier";
import { isKnownAddress, placeOf } from "./known-address";
import { passwordMatches } from "./passwords";
import type { AccountContext } from "./context";

/** Events counted before a password is looked at: which of them hold depends on whether it is right. */
export type Attempt = { whose: string; ifWrong: string[]; ifRight: string[] };

/**
 * Counts a sign-in as a failure and as a success until the password proves it one of them, whether
 * or not the account exists. An address its owner signed in from minds its own failures only:
 * strangers cannot lock anybody out.
 * @throws Refusal 429
 */
export async function countSignIn(
  context: AccountContext,
  identifier: string,
  address: string | null,
): Promise<Attempt> {
  const { clock, subjects } = context;
  const whose = subjectOf(address);
  return inTransaction(context, async (within) => {
    const { db } = within;
    const count = (rule: rules.LimitRule, subject: string) => limit(db, clock, rule, subject);
    const here = subjects.of(...placeOf(identifier, address));
    const ifRight = [await count(rules.LOGINS_HERE, here)];
    const ifWrong = [await count(rules.LOGIN_FAILURES_HERE, here)];
    if (await isKnownAddress(within, identifier, address)) return { whose, ifWrong, ifRight };
    ifWrong.push(await count(rules.LOGIN_FAILURES_OF_ADDRESS, whose));
    const account = subjects.of(identifierKey(identifier));
    ifWrong.push(await limitWithLock(db, clock, rules.LOGIN_FAILURES_OF_ACCOUNT, account));
    return { whose, ifWrong, ifRight };
  });
}

/** Whether the password is right; what it proved untrue is not counted any more. */
export async function provePassword(
  { db }: Pick<AccountContext, "db">,
  { whose, ifWrong, ifRight }: Attempt,
  stored: string | null,
  password: string,
): Promise<boolean> {
  let untrue = [...ifWrong, ...ifRight];
  try {
    const matches = await passwordMatches(whose, stored, password);
    untrue = matches ? ifWrong : ifRight;
    return matches;
  } finally {
    await forgetEvent(db, ...untrue);
  }
}

/** Who proved by a mailed link that the account is theirs begins anew. */
export async function forgetFailures(
  { db, subjects }: AccountContext,
  identifier: string,
  address: string | null,
) {
  const here = subjects.of(...placeOf(identifier, address));
  await forgetSubject(db, rules.LOGIN_FAILURES_HERE, here);
}
