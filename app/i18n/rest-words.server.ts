import type { RefundOnDeletion, Subscription } from "~/contract/subscriptions";
import { formatAmount, formatDate } from "./format";
import { translate } from "./i18n.server";

/** What the deletion of the account gives back of a period that was renewed without its notice (L215-1). */
export function restOnDeletion(refund: RefundOnDeletion | undefined): string | null {
  if (!refund) return null;
  const { amount, untilDateTime } = refund;
  const values = { amount: formatAmount(amount), date: formatDate(untilDateTime) };
  return translate("debit", "rest.deletion", values);
}

/** What whoever stops the renewal may do instead, where their period was renewed without its notice. */
export const restInstead = ({ refundOnDeletion }: Subscription): string | null =>
  refundOnDeletion ? translate("debit", "rest.instead") : null;
