import type { Context } from "../database/context";
import { afterCommit } from "../database/transaction";

/**
 * A state that an amount of money has reached.
 * charge: a payment at its person's bank. refund: what goes back, by the provider or by hand. claim: what a
 * cardholder's bank claims back. credit: what was paid out to a person.
 */
type Movement = {
  movement: "charge" | "refund" | "claim" | "credit";
  /** The payment; of a credit, its contract. */
  uid: string;
  /** In cents. */
  amount: number;
  outcome: string;
  /** The refund, if it is one. */
  refund?: string;
  /** The claim, if it is one: a dispute, an inquiry or a warning. */
  claim?: string;
};

/** The currency of all amounts of the platform. */
const CURRENCY = "eur";

/**
 * Writes one line for each movement of money, without a person and without a card. Whatever changes the state of
 * a payment, a refund, a claim or a paid credit calls it; a test finds the one that does not.
 */
export function logMovement({ db, log }: Pick<Context, "db" | "log">, movement: Movement) {
  afterCommit(db, () => log.info({ ...movement, currency: CURRENCY }, "money moved"));
}
