import { inTransaction } from "../database/transaction";
import { uncountEvent, resetSubject, limit, limitAddress, limitWithLock } from "../limits/limit";
import * as rules from "../limits/rules";
import { subjectOf } from "../../../app/contract/client-address";
import { identifierKey } from "./identifier";
import { isKnownAddress, placeOf } from "./known-address";
import { passwordMatches } from "./passwords";
import type { AccountContext } from "./context";

/**
 * Events counted before the password is checked; afterwards either the failures or the success are
 * uncounted.
 */
export type Attempt = { subject: string; failureEvents: string[]; successEvents: string[] };

/**
 * Counts a sign-in as a failure and as a success until the password is checked; an unknown account
 * is counted too. At an address where the owner signed in before, only the failures of that address
 * count, so that strangers cannot lock the owner out.
 * @throws Refusal 429
 */
export async function countSignIn(
  context: AccountContext,
  identifier: string,
  address: string | null,
): Promise<Attempt> {
  const { clock, subjects } = context;
  const subject = subjectOf(address);
  return inTransaction(context, async (within) => {
    const { db } = within;
    const count = (rule: rules.LimitRule, subject: string) => limit(db, clock, rule, subject);
    const here = subjects.of(...placeOf(identifier, address));
    const successEvents = [await count(rules.LOGINS_OF_ACCOUNT_AT_ADDRESS, here)];
    const failureEvents = [await count(rules.LOGIN_FAILURES_OF_ACCOUNT_AT_ADDRESS, here)];
    if (await isKnownAddress(within, identifier, address))
      return { subject, failureEvents, successEvents };
    failureEvents.push(await limitAddress(db, clock, rules.LOGIN_FAILURES_OF_ADDRESS, address));
    const account = subjects.of(identifierKey(identifier));
    failureEvents.push(await limitWithLock(db, clock, rules.LOGIN_FAILURES_OF_ACCOUNT, account));
    return { subject, failureEvents, successEvents };
  });
}

/**
 * Checks the password and uncounts the events of the other outcome; all of them when the check
 * fails.
 */
export async function checkPassword(
  { db }: Pick<AccountContext, "db">,
  { subject, failureEvents, successEvents }: Attempt,
  storedHash: string | null,
  password: string,
): Promise<boolean> {
  let disproved = [...failureEvents, ...successEvents];
  try {
    const matches = await passwordMatches(subject, storedHash, password);
    disproved = matches ? failureEvents : successEvents;
    return matches;
  } finally {
    await uncountEvent(db, ...disproved);
  }
}

/** Resets the failures at this address after a mailed link proved ownership of the account. */
export async function resetFailures(
  { db, subjects }: AccountContext,
  identifier: string,
  address: string | null,
) {
  const here = subjects.of(...placeOf(identifier, address));
  await resetSubject(db, rules.LOGIN_FAILURES_OF_ACCOUNT_AT_ADDRESS, here);
}
