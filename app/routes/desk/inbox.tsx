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
  if (rows.length === 0) return <EmptyState title={t("empty.title")} text={t("empty.text")} />;
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
          <bdi>{person}</bdi>
          {` · ${[category, when, assignee].filter(Boolean).join(" · ")}`}
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
