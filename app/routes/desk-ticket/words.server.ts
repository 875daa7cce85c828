import type { DeskMessage, DeskSubscription } from "~/contract/desk";
import { partsOf } from "~/support/parts.server";
import { formatDate } from "~/ui/format";

export type DeskMessageWords = ReturnType<typeof messageWords>;

/** On this side the coaches' messages are the own ones. */
export function messageWords({ uid, date, content, contact, author, internal }: DeskMessage) {
  return {
    uid,
    date,
    internal,
    author: contact.name,
    mine: author === "coach",
    parts: partsOf(content),
  };
}

export type SubscriptionWords = ReturnType<typeof subscriptionWords>;

export function subscriptionWords({ state, since, nextDate, formula }: DeskSubscription) {
  return { state, formula, since: formatDate(since), next: nextDate && formatDate(nextDate) };
}
