import type { TicketStatus } from "~/contract/support";
import { useT } from "~/i18n/use-t";
import { Tag } from "~/ui/chips";

/** A ticket's state as coaches see it; what asks for an answer stands out. */
export function DeskStatus({ status }: { status: TicketStatus }) {
  const t = useT("desk");
  const asks = status === "new" || status === "waiting";
  return <Tag {...(asks && { tone: "warning" })}>{t(`status.${status}`)}</Tag>;
}
