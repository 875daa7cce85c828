import type { Offer } from "../../../app/contract/subscriptions";
import {
  creditWords,
  durationWords,
  isLastPeriod,
  orderText,
  periodWords,
} from "../../../app/i18n/order-words.server";
import { formatAmount, formatDate } from "../../../app/i18n/format";
import texts from "./texts.fr.json";

/** Words of the last button before a charge, as the site's card form shows them. */
export const ORDER_BUTTON = texts.orderButton;

/** Describes the agreed price for order pages and the welcome mail. */
export function describeOffer(offer: Offer): string {
  const { name, formula, amountNow, amount, trial, period, creditAmount, due } = offer;
  const { nextDebit, endsAt } = offer;
  const credit =
    creditAmount === undefined ? "" : fill(texts.credit, { credit: formatAmount(creditAmount) });
  return fill(wordsOf(offer), {
    name: name ?? formula,
    amount: formatAmount(amount),
    period: periodWords(period),
    date: formatDate(due?.date ?? nextDebit?.date ?? offer.at),
    end: endsAt === undefined ? "" : formatDate(endsAt),
    trial: trial ? durationWords(trial) : "",
    trialAmount: formatAmount(amountNow),
    credit,
  });
}

function wordsOf({ due, trial, trialUsed, amountNow, ...going }: Offer): string {
  if (due) return wordsOfDue(going);
  if (trial) return amountNow > 0 ? texts.trial : texts.trialFree;
  return trialUsed ? texts.trialUsed : texts.plain;
}

function wordsOfDue(going: Partial<Offer>) {
  const { paidByHand, endsAt } = going;
  if (endsAt === undefined) return paidByHand ? texts.dueByHand : texts.due;
  if (isLastPeriod(going)) return paidByHand ? texts.lastDueByHand : texts.lastDue;
  return paidByHand ? texts.dueByHandUntilEnd : texts.dueUntilEnd;
}

/**
 * The offer with what is shown beside its button, and kept as proof (L221-14; ). `shown`: the offer as the
 * form showed it, whose words the person has ordered by.
 */
export const withSentences = (offer: Offer, shown = offer): Offer => ({
  ...offer,
  description: describeOffer(shown),
  conditions: orderText(shown),
});

/** Describes the credit with who pays it, how, when and on which conditions; null without one. */
export const describeCredit = ({ creditAmount, creditTerms }: Offer): string | null =>
  creditAmount === undefined || !creditTerms ? null : creditWords(creditAmount, creditTerms);

function fill(text: string, values: Record<string, string>) {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
}
