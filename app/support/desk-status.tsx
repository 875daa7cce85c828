import { awaitsCoach, type TicketStatus } from "~/contract/ticket-status";
import { useT } from "~/i18n/use-t";
import { Tag } from "~/ui/chips";

/** A ticket's status as coaches see it. A status that needs an answer is highlighted. */
export function DeskStatus({ status }: { status: TicketStatus }) {
  const t = useT("desk");
  return <Tag {...(awaitsCoach(status) && { tone: "warning" })}>{t(`status.${status}`)}</Tag>;
}
