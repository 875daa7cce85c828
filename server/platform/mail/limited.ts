import { inTransaction } from "../database/transaction";
import type { Database } from "../database/tables";
import { limit, LimitExceeded } from "../limits/limit";
import type { LimitRule } from "../limits/rules";
import type { Clock } from "../ports/clock";
import type { Letter } from "./letters";

/**
 * Letters that may be left out where a limit is reached, and why nobody misses them. All others
 * change something in somebody's name or carry the way back, and always go out: a limit may
 * refuse what causes them, never the letter.
 */
export const limitedLetters = {
  "password-reset": "three earlier links are good still",
  "address-release": "three earlier links are good still",
  "support-link": "the links mailed within the hour open the same",
  "cancellation-without-effect": "ten mails of the day say that nothing was changed",
  "withdrawal-without-effect": "ten mails of the day say that nothing was changed",
  "ticket-received": "the links mailed within the hour open this request too",
  "attachment-refused": "answers a mail, and must not converse with a machine",
  "reply-refused": "answers a mail, and must not converse with a machine",
} satisfies Partial<Record<Letter["kind"], string>>;

export type LimitedKind = keyof typeof limitedLetters;

/** `event`: the same again counts once. */
type Limit = { rule: LimitRule; subject: string; event?: string };

/** Writes a letter of a kind that may be left out, unless a limit is reached; tells whether it did. */
export async function writeWithin<W extends { db: Database; clock: Clock }>(
  context: W,
  kind: LimitedKind,
  limits: readonly Limit[],
  write: (within: W) => Promise<void>,
): Promise<boolean> {
  if (!(kind in limitedLetters)) throw new Error(`The letter ${kind} always goes out`);
  const attempt = async (within: W) => {
    for (const { rule, subject, event } of limits) {
      await limit(within.db, within.clock, rule, subject, event);
    }
    await write(within);
  };
  const { db } = context;
  try {
    await (db.isTransaction ? attempt(context) : inTransaction(context, attempt));
    return true;
  } catch (error) {
    if (error instanceof LimitExceeded) return false;
    throw error;
  }
}
