import { LATEST_MESSAGE } from "~/contract/latest-message";
import { splitTitle, type Ticket } from "~/contract/support";
import { shownAs } from "~/contract/ticket-status";
import { translate } from "~/i18n/i18n.server";
import { formatDateTime } from "~/i18n/format";

export type TicketWords = ReturnType<typeof ticketWords>;

/** The texts of one ticket or discussion in a list. */
export function ticketWords(ticket: Ticket) {
  const { uid, date, lastDateTime, messageCount, unread, status } = ticket;
  const { category, title } = splitTitle(ticket.title);
  return {
    uid,
    title,
    category,
    status: shownAs(status),
    unread: unread ?? false,
    // A thread of a single message opens with its subject in view.
    fragment: messageCount === 1 ? "" : `#${LATEST_MESSAGE}`,
    last: translate("support", "last", { date: formatDateTime(lastDateTime ?? date) }),
    ...(messageCount && { count: translate("support", "messages", { count: messageCount }) }),
  };
}
