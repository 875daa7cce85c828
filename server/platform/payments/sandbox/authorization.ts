import type { CardDecision, CardPaymentRequest } from "../../ports/payment-gateway";
import { useCard } from "./bank";
import { planOf } from "./cards";
import { decisionOf } from "./decision";
import { findAddress } from "./address";
import { openPage } from "./open-page";
import type { Page } from "./store";
import type { BankContext } from "./context";

/**
 * Pays with a card typed on the merchant's site. The page is created and used in one transaction. A
 * repeated `paymentUid`, with any card, gets the first outcome and moves no money.
 * @throws Error for the card that simulates a bank that does not answer; the bank still decides
 *   later
 */
export async function authorize(
  context: BankContext,
  request: CardPaymentRequest,
): Promise<CardDecision> {
  const { db, clock, keys } = context;
  const { number, month, year } = request.card;
  const card = { number, expiry: { month, year } };
  const page = await db.transaction().execute(async (transaction) => {
    const opened = await openPage({ db: transaction, clock, keys }, request);
    return opened.isNew ? useCard(transaction, clock, opened.page.uid, card) : opened.page;
  });
  if (page.status === "pending" && planOf(number).silent) {
    throw new Error("The sandbox bank does not answer");
  }
  return answerOf(context, page);
}

function answerOf({ keys }: BankContext, page: Page): CardDecision {
  const decision = decisionOf(page);
  if (decision) return { ...decision, reference: page.uid };
  const url = findAddress(keys, page);
  if (!url) throw new Error("The key of this payment page is no longer in use");
  return { status: "challenge", reference: page.uid, url };
}
