import type { createDraft } from "./draft";
import { fill } from "./fill";
import { formatAmount } from "./format";
import catalogue from "./letters.fr.json";
import type { StoppedCredit, WithdrawnCredit } from "./letters";

const { letters } = catalogue;

/**
 * Says what a stop does to the credit, where there is one. `isByOther`: the letter is about a stop for a later day,
 * which loses nothing, beside another declaration that stops the contract before the debit that earns it.
 */
export function withCredit(
  words: Parameters<typeof createDraft>[0],
  credit: StoppedCredit | null,
  { isByOther = false }: { isByOther?: boolean } = {},
) {
  if (!credit) return words;
  const lost = isByOther ? letters.creditLostByOther : letters.creditLostByStop;
  const { details } = credit.isLost ? lost : letters.creditKept;
  return withAmount(words, details, credit.amount);
}

/** Says what a withdrawal does to the credit, where there is one; `isOpen`: once it takes effect. */
export function withWithdrawnCredit(
  words: Parameters<typeof createDraft>[0],
  credit: WithdrawnCredit | null,
  { isOpen }: { isOpen: boolean },
) {
  if (!credit) return words;
  const lost = isOpen ? letters.creditLostOnceWithdrawn : letters.creditLostByWithdrawal;
  const { details } = credit.isPaid ? letters.creditReclaimable : lost;
  return withAmount(words, details, credit.amount);
}

/** Names the credit that is not owed any more, where there is one. */
export const withLostCredit = (
  words: Parameters<typeof createDraft>[0],
  amount: number | null,
  isUndoable = false,
) => {
  const { details } = isUndoable ? letters.creditLostUnlessUndone : letters.creditLost;
  return amount === null ? words : withAmount(words, details, amount);
};

export const withAmount = (
  words: Parameters<typeof createDraft>[0],
  lines: string[],
  cents: number,
) => {
  const amount = formatAmount(cents);
  return { ...words, details: words.details.concat(lines.map((line) => fill(line, { amount }))) };
};

/** What an undecided debit does if it succeeds. */
const outcomes = {
  stopped: letters.debitUndecidedStopped,
  paying: letters.debitUndecidedPaying,
  refunded: letters.debitUndecidedRefunded,
  withdrawn: letters.debitUndecidedWithdrawn,
};

/**
 * Names a debit on which the bank has not decided, where there is one. If it succeeds: `stopped`: it pays for
 * longer than the end of access that the letter names; `paying`: for the next period; `refunded`: it goes back, as
 * the contract is over; `withdrawn`: it goes back with the rest, unless the withdrawal is undone.
 */
export function withUndecidedDebit(
  words: Parameters<typeof createDraft>[0],
  amount: number | null,
  outcome: keyof typeof outcomes,
) {
  if (amount === null) return words;
  const line = [...letters.debitUndecided.details, ...outcomes[outcome].details].join(" ");
  return withAmount(words, [line], amount);
}

/** Says that the running period may be ended at once and its rest given back, where it was renewed without its notice. */
export const withUnannounced = (
  words: Parameters<typeof createDraft>[0],
  { isUnannounced }: { isUnannounced: boolean },
) =>
  isUnannounced
    ? { ...words, details: words.details.concat(letters.unannouncedPeriod.details) }
    : words;
