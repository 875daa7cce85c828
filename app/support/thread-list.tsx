import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import { Tag } from "~/ui/chips";
import { Cluster } from "~/ui/cluster";
import { EmptyState } from "~/ui/empty-state";
import { LoadMore } from "~/ui/load-more";
import { Snackbar } from "~/ui/snackbar";
import { Unread } from "~/ui/unread";
import type { SupportKind } from "./kinds";
import { StatusFilter } from "./status-filter";
import type { TicketWords } from "./ticket-words.server";

type ThreadListProps = {
  kind: SupportKind;
  secret: string | null;
  status: TicketWords["status"] | null;
  threads: TicketWords[];
  /** Cursor of the next page. */
  next: string | null;
  failed: boolean;
  /** What stands in an empty list. */
  children?: ReactNode;
};

export function ThreadList({ kind, secret, status, threads, next, ...rest }: ThreadListProps) {
  const { failed, children } = rest;
  const t = useT(kind.namespace);
  const support = useT("support");
  const linkQuery = secret ? { t: secret } : {};
  const listQuery = { ...linkQuery, ...(status && { status }) };
  if (failed) {
    const snackbar = <Snackbar type="error" text={support("errors.tickets")} />;
    return <Unread text={support("missing.tickets")} snackbar={snackbar} />;
  }
  return (
    <>
      {(status || threads.length > 0) && (
        <StatusFilter
          kind={kind}
          current={status}
          href={(wanted) => kind.list({ ...linkQuery, ...wanted })}
        />
      )}
      {threads.length === 0 && (
        <EmptyState
          title={t(status ? "list.none.title" : "list.empty.title")}
          text={t(status ? "list.none.text" : "list.empty.text")}
        >
          {children}
        </EmptyState>
      )}
      {threads.length > 0 && (
        <ul className="rows" data-more-into>
          {threads.map((thread) => (
            <li key={thread.uid}>
              <ThreadLink
                kind={kind}
                {...thread}
                href={kind.thread(thread.uid, linkQuery) + thread.fragment}
              />
            </li>
          ))}
        </ul>
      )}
      {next && <LoadMore href={kind.list({ ...listQuery, after: next })} text={t("list.more")} />}
    </>
  );
}

function ThreadLink({
  kind,
  title,
  category,
  status,
  unread,
  last,
  count,
  href,
}: TicketWords & { kind: SupportKind; href: string }) {
  const t = useT(kind.namespace);
  const support = useT("support");
  return (
    <>
      <div>
        <p>
          {category && <span className="soft small">{category} </span>}
          <a href={href} className="strong">
            <bdi>{title}</bdi>
          </a>
        </p>
        <p className="soft small">{[last, count].filter(Boolean).join(" · ")}</p>
      </div>
      <Cluster>
        {unread && <Tag tone="warning">{support("unread")}</Tag>}
        <Tag {...(status === "active" && { tone: "success" })}>{t(`status.${status}`)}</Tag>
      </Cluster>
    </>
  );
}
