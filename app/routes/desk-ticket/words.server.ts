import type { Success } from "~/api/client";
import type { DeskMessage, DeskSubscription } from "~/contract/desk";
import { splitTitle } from "~/contract/support";
import { translate } from "~/i18n/i18n.server";
import { trimmedWords } from "~/support/message-words.server";
import { partsOf } from "~/support/parts.server";
import { formatDate } from "~/i18n/format";

export type DeskThreadWords = ReturnType<typeof deskThreadWords>;

/** The texts of a thread at the desk. `older` is the cursor of the older messages. */
export function deskThreadWords({ payload: thread, page }: Success<"getDeskTicket">) {
  const { subscription, ...person } = thread.person;
  const { type, status, version } = thread;
  const takenBack = thread.consentTakenBackDateTime;
  const { title, category } = takenBack
    ? { title: translate("desk", "thread.consentTitle"), category: null }
    : splitTitle(thread.title);
  return {
    consentTakenBackAt: takenBack ? formatDate(takenBack) : null,
    ticket: { title, category, type, status },
    birth: thread.birth,
    version,
    assignee: thread.assignee?.uid ?? "",
    person: { ...person, subscription: subscription && deskSubscriptionWords(subscription) },
    messages: thread.messages.map(deskMessageWords),
    older: page.hasNextPage ? page.endCursor : null,
  };
}

export type DeskMessageWords = ReturnType<typeof deskMessageWords>;

/** The texts of a message. At the desk, `mine` marks the messages of all coaches. */
export function deskMessageWords(message: DeskMessage) {
  const { uid, date, content, contact, author, internal } = message;
  return {
    uid,
    date,
    internal,
    author: contact.name,
    mine: author === "coach",
    parts: partsOf(content),
    trimmed: trimmedWords(message),
  };
}

export type DeskSubscriptionWords = ReturnType<typeof deskSubscriptionWords>;

/** The texts of each field of a subscription; that a payment is awaited is told as the state. */
export function deskSubscriptionWords(subscription: DeskSubscription) {
  const { since, nextDate, formula, isAwaited } = subscription;
  return {
    state: isAwaited ? ("awaited" as const) : subscription.state,
    formula,
    since: formatDate(since),
    nextDate: nextDate && formatDate(nextDate),
  } satisfies Record<Exclude<keyof DeskSubscription, "isAwaited">, string | null>;
}
