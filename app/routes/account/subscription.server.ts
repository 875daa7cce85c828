import { findFormula } from "~/api/formula.server";
import type { Subscription } from "~/contract/subscriptions";
import { offerOf } from "~/i18n/offer.server";
import type { Visit } from "~/session/enter.server";
import { formatAmount, formatDate } from "~/ui/format";

export type SubscriptionState = "active" | "inProcess" | "ended";

/** The subscription in words: its next date is a debit or the end of access. */
export type SubscriptionWords = {
  state: SubscriptionState;
  formula: string | null;
  price: string;
  since: string;
  next: string | null;
  until: string | null;
  credits: string | null;
};

export async function subscriptionWords(visit: Visit): Promise<SubscriptionWords | null> {
  const outcome = await visit.attempt("getSubscription", {});
  if (!outcome.ok) return null;
  const subscription = outcome.value.payload;
  const formula = subscription.formula ? await findFormula(visit, subscription.formula) : null;
  const state = stateOf(subscription);
  const date = formatDate(subscription.expirationDateTime);
  const price = formatAmount(subscription.amount);
  return {
    state,
    formula: formula?.name ?? null,
    price: formula ? `${price} ${offerOf(formula).period}` : price,
    since: formatDate(subscription.startedDateTime),
    next: state === "active" ? visit.t("account", "nextDebit", { amount: price, date }) : null,
    until: state === "active" ? null : date,
    credits: subscription.credits ? formatAmount(subscription.credits) : null,
  };
}

function stateOf({ cancelledDateTime, endedDateTime }: Subscription): SubscriptionState {
  if (endedDateTime) return "ended";
  return cancelledDateTime ? "inProcess" : "active";
}
