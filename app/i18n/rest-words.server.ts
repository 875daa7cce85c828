import type { RefundOnDeletion, Subscription } from "~/contract/subscriptions";
import { formatAmount, formatDate } from "./format";
import { translate } from "./i18n.server";

/**
 * What the deletion of the account gives back, in sentences: of a period that was renewed without its notice
 * (L215-1), and of one that was paid early.
 */
export function refundsOnDeletion({
  refundOnDeletion,
  earlyRefundOnDeletion,
}: Pick<Subscription, "refundOnDeletion" | "earlyRefundOnDeletion">): string[] {
  return [
    ...(refundOnDeletion ? [restSentence(refundOnDeletion)] : []),
    ...(earlyRefundOnDeletion
      ? [translate("debit", "rest.early", { amount: formatAmount(earlyRefundOnDeletion) })]
      : []),
  ];
}

function restSentence({ amount, untilDateTime }: RefundOnDeletion): string {
  const values = { amount: formatAmount(amount), date: formatDate(untilDateTime) };
  return translate("debit", "rest.deletion", values);
}

/** What whoever stops the renewal may do instead, where their period was renewed without its notice. */
export const restInstead = ({ refundOnDeletion }: Subscription): string | null =>
  refundOnDeletion ? translate("debit", "rest.instead") : null;
