import { useT } from "~/i18n/use-t";
import { DeskStatus } from "~/support/desk-status";
import { Tag } from "~/ui/chips";
import { Cluster } from "~/ui/cluster";
import { EmptyState } from "~/ui/empty-state";
import type { RowWords } from "./words.server";

export function Inbox({ rows }: { rows: RowWords[] }) {
  const t = useT("desk");
  if (rows.length === 0) return <EmptyState title={t("empty.title")} text={t("empty.text")} />;
  return (
    <ul className="rows" data-more-into data-desk-rows>
      {rows.map((row) => (
        <li key={row.uid} className="rows__item">
          <Row {...row} />
        </li>
      ))}
    </ul>
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
