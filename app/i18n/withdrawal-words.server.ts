import type { Subscription } from "~/contract/subscriptions";
import { lastDayBefore } from "./format";
import { translate } from "./i18n.server";

/** `kept`: that the right outlives the account. */
export type WithdrawableWords = { text: string; kept: string; open: string };

/**
 * The right to withdraw from a contract that gives no access any more (L221-18): its end does not shorten it. Null
 * where it is over or used.
 */
export function withdrawableWords({
  withdrawableUntilDateTime: until,
}: Subscription): WithdrawableWords | null {
  if (until === undefined) return null;
  return {
    text: translate("subscription", "withdrawal.ended", { date: lastDayBefore(until) }),
    kept: translate("data", "withdrawal.instead"),
    open: translate("subscription", "withdrawal.open"),
  };
}
