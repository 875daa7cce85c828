import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { DeskStatus } from "~/support/desk-status";
import { Tag } from "~/ui/chips";
import { Cluster } from "~/ui/cluster";
import { EmptyState } from "~/ui/empty-state";
import { LoadMore } from "~/ui/load-more";
import { toAddress, type Filters } from "./filters";
import type { RowWords } from "./words.server";

type InboxProps = {
  filters: Filters;
  rows: RowWords[];
  /** Cursor of the next page. */
  next: string | null;
};

export function Inbox({ filters, rows, next }: InboxProps) {
  const t = useT("desk");
  if (rows.length === 0) return <Nothing filters={filters} />;
  return (
    <>
      <ul className="rows" data-desk-rows>
        {rows.map((row) => (
          <li key={row.uid}>
            <Row {...row} />
          </li>
        ))}
      </ul>
      {next && (
        <LoadMore
          href={paths.desk(toAddress(filters, { after: next }))}
          text={t("more")}
          inPlace={false}
        />
      )}
    </>
  );
}

/** An inbox without work is good news; a search without a hit is none. */
function Nothing({ filters }: Pick<InboxProps, "filters">) {
  const t = useT("desk");
  const { q, type, status, assignee } = filters;
  if (q === "") return <EmptyState title={t("empty.title")} text={t("empty.text")} />;
  const isFiltered = type !== null || status !== null || assignee !== null;
  return (
    <EmptyState
      title={t("notFound.title")}
      text={t(isFiltered ? "notFound.filtered" : "notFound.text", { q })}
    >
      {isFiltered && (
        <a href={paths.desk(toAddress(filters, { type: null, status: null, assignee: null }))}>
          {t("notFound.everywhere")}
        </a>
      )}
    </EmptyState>
  );
}

function Row({ href, type, status, category, title, person, excerpt, assignee, when }: RowWords) {
  const t = useT("desk");
  return (
    <>
      <div className="rows__main">
        <p>
          <a href={href}>
            <bdi>{title}</bdi>
          </a>
        </p>
        <p className="soft small">
          {`${when} · `}
          <bdi>{person}</bdi>
          {` · ${[category, assignee].filter(Boolean).join(" · ")}`}
        </p>
        <p className="small" dir="auto">
          {excerpt}
        </p>
      </div>
      <Cluster>
        <Tag>{t(`types.${type}`)}</Tag>
        <DeskStatus status={status} />
      </Cluster>
    </>
  );
}
