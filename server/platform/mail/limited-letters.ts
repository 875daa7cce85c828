import { inTransaction } from "../database/transaction";
import type { Database } from "../database/tables";
import { limit, LimitExceeded } from "../limits/limit";
import type { LimitRule } from "../limits/rules";
import type { Clock } from "../ports/clock";
import type { Letter } from "./letters";

/**
 * Letters that a limit may drop, and why nobody misses them. All other letters report a change or
 * contain the way to undo it, and are always sent. A limit may refuse their cause, never
 * the letter.
 */
export const limitedLetters = {
  "password-reset": "three earlier links are good still",
  "address-release": "three earlier links are good still",
  "support-link": "the links mailed within the hour open the same",
  "cancellation-without-effect": "ten mails of the day say that nothing was changed",
  "withdrawal-without-effect": "ten mails of the day say that nothing was changed",
  "cancellation-noted": "the contract's own address gets the receipt, whatever was typed",
  "withdrawal-noted": "the contract's own address gets the receipt, whatever was typed",
  "ticket-received": "the links mailed within the hour open this request too",
  "attachment-refused": "answers a mail, and must not converse with a machine",
  "reply-refused": "answers a mail, and must not converse with a machine",
} satisfies Partial<Record<Letter["kind"], string>>;

export type LimitedKind = keyof typeof limitedLetters;

/** `event`: uid of the counted event; the same uid counts once. */
type Limit = { rule: LimitRule; subject: string; event?: string };

/** Writes a droppable letter unless a limit is reached; returns whether it was written. */
export async function writeLimited<W extends { db: Database; clock: Clock }>(
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
