import { forgetEvent, forgetSubject, limit } from "../limits/limit";
import * as rules from "../limits/rules";
import { subjectOf } from "../limits/subject";
import { identifierKey } from "./identifier";
import { isKnownAddress, placeOf } from "./known-address";
import { passwordMatches } from "./passwords";
import type { World } from "./world";

type Limited = { rule: rules.LimitRule; subject: string };

/**
 * Counts a sign-in as a failure until the password proves it none, whether or not the account
 * exists. An address its owner signed in from minds its own failures only: strangers cannot lock
 * anybody out.
 * @returns the events to forget if it succeeds
 * @throws Refusal 429
 */
export async function countSignIn(
  world: World,
  identifier: string,
  address: string | null,
): Promise<string[]> {
  return world.db.transaction().execute(async (db) => {
    const within = { ...world, db };
    const events: string[] = [];
    for (const { rule, subject } of await limitsOf(within, identifier, address)) {
      events.push(await limit(db, world.clock, rule, subject));
    }
    return events;
  });
}

async function limitsOf(world: World, identifier: string, address: string | null) {
  const { subjects } = world;
  const here = subjects.of(...placeOf(identifier, address));
  const limits: Limited[] = [{ rule: rules.LOGIN_FAILURES_HERE, subject: here }];
  if (await isKnownAddress(world, identifier, address)) return limits;
  const account = subjects.of(identifierKey(identifier));
  return [
    ...limits,
    { rule: rules.LOGIN_FAILURES_OF_ADDRESS, subject: subjectOf(address) },
    { rule: rules.LOGIN_FAILURES_OF_ACCOUNT, subject: account },
  ];
}

/** Whether the password is right; only what is known to be wrong stays counted. */
export async function provePassword(
  { db }: Pick<World, "db">,
  events: string[],
  stored: string | null,
  password: string,
): Promise<boolean> {
  let isWrong = false;
  try {
    isWrong = !(await passwordMatches(stored, password));
    return !isWrong;
  } finally {
    if (!isWrong) await forgetEvent(db, ...events);
  }
}

/** Who proved by a mailed link that the account is theirs begins anew. */
export async function forgetFailures(
  { db, subjects }: World,
  identifier: string,
  address: string | null,
) {
  const here = subjects.of(...placeOf(identifier, address));
  await forgetSubject(db, rules.LOGIN_FAILURES_HERE, here);
}
