import type { DueReason, Formula, Subscription } from "~/contract/subscriptions";
import { formatAmount, formatDate, formatDateTime } from "~/ui/format";
import { translate } from "./i18n.server";
import { periodWords } from "./offer.server";

/**
 * `grace`: a renewal was declined; access continues for some days and another card may pay. `planned`:
 * a notice ends the contract on a later day. `inProcess`: the renewal was stopped. `withdrawn`: a
 * withdrawal was received and can still be undone.
 */
export type SubscriptionState =
  "active" | "grace" | "planned" | "inProcess" | "withdrawn" | "ended";

/** The texts of a subscription. */
export type SubscriptionWords = {
  state: SubscriptionState;
  formula: string | null;
  price: string;
  since: string;
  next: string | null;
  until: string | null;
  ended: string | null;
  /** Name of the contract in letters and notices. */
  reference: string | null;
  /** End of the paid period, or of the grace. After a stop, access lasts until then. */
  accessEnd: string;
  credits: string | null;
  /** Why the renewal can be paid on a page now. */
  due: DueReason | null;
  /** Effects of received notices, in sentences. */
  announced: string[];
};

export function subscriptionWords(
  subscription: Subscription,
  formula: Formula | null,
): SubscriptionWords {
  const state = stateOf(subscription);
  const { expirationDateTime, endedDateTime, graceDateTime, dueReason } = subscription;
  const accessEnd = formatDate(graceDateTime ?? expirationDateTime);
  const amount = formatAmount(subscription.amount);
  const next = translate("account", "nextDebit", { amount, date: formatDate(expirationDateTime) });
  return {
    state,
    formula: formula?.name ?? null,
    price: priceOf(subscription, formula),
    since: formatDate(subscription.startedDateTime),
    next: isChargedNext(subscription, state) ? next : null,
    until: endOfAccess(subscription, state),
    ended: endedDateTime && formatDate(endedDateTime),
    reference: subscription.reference ?? null,
    accessEnd,
    due: isRenewed(subscription) || graceDateTime ? (dueReason ?? null) : null,
    announced: noticeSentences(subscription),
    credits: subscription.credits ? formatAmount(subscription.credits) : null,
  };
}

/** Without a card nothing is charged, whatever is due. */
function isChargedNext(subscription: Subscription, state: SubscriptionState): boolean {
  if (subscription.cardMissing) return false;
  return state === "active" || (state === "planned" && isRenewed(subscription));
}

/** The contract's own, where the API tells it: its formula may have changed since. */
function priceOf(subscription: Subscription, formula: Formula | null): string {
  const amount = formatAmount(subscription.amount);
  if (subscription.period) return `${amount} ${periodWords(subscription.period)}`;
  if (!formula) return amount;
  const { periodDuration: duration, periodDurationUnit: unit } = formula;
  return `${amount} ${periodWords({ duration, unit })}`;
}

/** End of access. Null while the subscription is renewed, and after its end. */
function endOfAccess(subscription: Subscription, state: SubscriptionState): string | null {
  const { graceDateTime, expirationDateTime, plannedEndDateTime, withdrawal } = subscription;
  const paidUntil = graceDateTime ?? expirationDateTime;
  if (state === "active" || state === "ended") return null;
  if (state === "planned") return formatDate(plannedEndDateTime ?? paidUntil);
  const refundedAt = withdrawal?.refundDateTime ?? paidUntil;
  return formatDate(Date.parse(refundedAt) < Date.parse(paidUntil) ? refundedAt : paidUntil);
}

/** Whether another period follows the paid one. A planned end within the paid period prevents it. */
const isRenewed = ({ plannedEndDateTime, expirationDateTime }: Subscription) =>
  !plannedEndDateTime || Date.parse(plannedEndDateTime) > Date.parse(expirationDateTime);

function noticeSentences(subscription: Subscription): string[] {
  const { plannedEndDateTime, withdrawal, cancellation } = subscription;
  const sentences = cardMissingWords(subscription);
  if (withdrawal) {
    const received = formatDate(withdrawal.receivedDateTime);
    const refund = formatDate(withdrawal.refundDateTime);
    sentences.push(translate("account", "withdrawal", { received, refund }));
  }
  if (plannedEndDateTime) {
    const key = isRenewed(subscription) ? "planned.renewed" : "planned.paid";
    sentences.push(translate("account", key, { date: formatDate(plannedEndDateTime) }));
  }
  if (cancellation) {
    const received = formatDate(cancellation.receivedDateTime);
    const until = formatDateTime(cancellation.undoDateTime);
    sentences.push(translate("account", "cancellation", { received, until }));
  }
  return sentences;
}

function cardMissingWords(subscription: Subscription): string[] {
  const { cardMissing, graceDateTime } = subscription;
  if (!cardMissing || (!graceDateTime && !isRenewed(subscription))) return [];
  const from = formatDate(cardMissing.payFromDateTime);
  const until = formatDate(cardMissing.payUntilDateTime);
  const key = subscription.dueReason ? "now" : "later";
  return [translate("account", `cardMissing.${key}`, { from, until })];
}

function stateOf(subscription: Subscription): SubscriptionState {
  const { cancelledDateTime, endedDateTime, graceDateTime } = subscription;
  if (endedDateTime) return "ended";
  if (subscription.withdrawal) return "withdrawn";
  if (cancelledDateTime) return "inProcess";
  if (graceDateTime) return "grace";
  return subscription.plannedEndDateTime ? "planned" : "active";
}
