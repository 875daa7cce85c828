import type { DeskTicket } from "~/contract/desk";
import { LATEST_MESSAGE } from "~/contract/latest-message";
import { translate } from "~/i18n/i18n.server";
import { paths } from "~/paths";
import { splitTitle } from "~/contract/support";
import { formatDateTime } from "~/i18n/format";
import { pastWait } from "~/i18n/waits.server";

export type RowWords = ReturnType<typeof rowWords>;

/** The texts of one ticket in the inbox. */
export function rowWords(ticket: DeskTicket) {
  const { uid, type, status, person, excerpt, assignee, waitingSince, lastDateTime } = ticket;
  const { category, title } = splitTitle(ticket.title);
  return {
    uid,
    type,
    status,
    category,
    title,
    excerpt,
    href: `${paths.deskTicket(uid)}#${LATEST_MESSAGE}`,
    person: person.name,
    assignee: assignee
      ? translate("desk", "assigned", { name: assignee.name })
      : translate("desk", "unassigned"),
    when: waitingSince
      ? translate("desk", "waiting", { wait: pastWait(waitingSince) })
      : translate("desk", "last", { date: formatDateTime(lastDateTime) }),
  };
}
