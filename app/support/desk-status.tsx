import { awaitsCoach, type TicketStatus } from "~/contract/ticket-status";
import { useT } from "~/i18n/use-t";
import { Tag } from "~/ui/chips";

/** A ticket's state as coaches see it; what asks for an answer stands out. */
export function DeskStatus({ status }: { status: TicketStatus }) {
  const t = useT("desk");
  return <Tag {...(awaitsCoach(status) && { tone: "warning" })}>{t(`status.${status}`)}</Tag>;
}
