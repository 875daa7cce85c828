import type { DueReason, Formula, Subscription } from "~/contract/subscriptions";
import { formatAmount, formatDate } from "~/ui/format";
import { translate } from "./i18n.server";
import { offerOf } from "./offer.server";

/** `grace`: a renewal was declined, access lasts a little and another card may pay. */
export type SubscriptionState = "active" | "grace" | "inProcess" | "ended";

/** The subscription in words: its next date is a debit or the end of access. */
export type SubscriptionWords = {
  state: SubscriptionState;
  formula: string | null;
  price: string;
  since: string;
  next: string | null;
  until: string | null;
  ended: string | null;
  /** Names the contract in letters and notices. */
  reference: string | null;
  /** End of what is paid: the access after a stop request lasts until then. */
  periodEnd: string;
  credits: string | null;
  /** Why a page may pay the renewal now. */
  due: DueReason | null;
};

export function subscriptionWords(
  subscription: Subscription,
  formula: Formula | null,
): SubscriptionWords {
  const state = stateOf(subscription);
  const { graceDateTime, expirationDateTime, endedDateTime, dueReason } = subscription;
  const periodEnd = formatDate(expirationDateTime);
  const amount = formatAmount(subscription.amount);
  const next = translate("account", "nextDebit", { amount, date: periodEnd });
  return {
    state,
    formula: formula?.name ?? null,
    price: formula ? `${amount} ${offerOf(formula).period}` : amount,
    since: formatDate(subscription.startedDateTime),
    next: state === "active" ? next : null,
    until: lasts(state) ? formatDate(graceDateTime ?? expirationDateTime) : null,
    ended: endedDateTime && formatDate(endedDateTime),
    reference: subscription.reference ?? null,
    periodEnd,
    due: dueReason ?? null,
    credits: subscription.credits ? formatAmount(subscription.credits) : null,
  };
}

/** Access goes on, but not for ever. */
const lasts = (state: SubscriptionState) => state === "grace" || state === "inProcess";

function stateOf({ cancelledDateTime, endedDateTime, graceDateTime }: Subscription) {
  if (endedDateTime) return "ended";
  if (cancelledDateTime) return "inProcess";
  return graceDateTime ? "grace" : "active";
}
