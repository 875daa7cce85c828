import { useT } from "~/i18n/use-t";
import { Tag } from "~/ui/chips";
import { Cluster } from "~/ui/cluster";
import { PageHeading } from "~/ui/page-heading";
import type { SupportKind } from "./kinds";
import type { TicketWords } from "./ticket-words.server";

type ThreadHeadProps = { kind: SupportKind; ticket: TicketWords; back: string };

export function ThreadHead({ kind, ticket, back }: ThreadHeadProps) {
  const t = useT(kind.namespace);
  return (
    <>
      <p>
        <a className="lone" href={back}>
          {t("thread.back")}
        </a>
      </p>
      <PageHeading title={ticket.title} isSubject />
      <Cluster>
        {ticket.category && <Tag>{ticket.category}</Tag>}
        <Tag {...(ticket.status === "active" && { tone: "success" })}>
          {t(`status.${ticket.status}`)}
        </Tag>
      </Cluster>
    </>
  );
}
