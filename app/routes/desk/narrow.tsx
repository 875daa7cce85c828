import { useId } from "react";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Cluster } from "~/ui/cluster";
import { addressOf, ASSIGNEES, STATUSES, TYPES, type Filters } from "./filters";

type Counts = Record<(typeof TYPES)[number], Record<string, number>>;
/** `counts`: null when they could not be read. */
type NarrowProps = { filters: Filters; counts: Counts | null };
type Choice = { label: string; change: Partial<Filters>; current: boolean };

const ACTIVE = ["new", "waiting", "pending"];

/** Type, state with its count, and whose it is: each choice is a link. */
export function Narrow({ filters, counts }: NarrowProps) {
  const t = useT("desk");
  const types: readonly (keyof Counts)[] = filters.type ? [filters.type] : TYPES;
  const count = (counted: Counts, status: string) =>
    types.reduce((sum, type) => {
      const statuses = status === "active" ? ACTIVE : [status];
      return sum + statuses.reduce((all, one) => all + (counted[type][one] ?? 0), 0);
    }, 0);
  const labelOf = (status: string) =>
    counts ? `${t(`status.${status}`)} (${count(counts, status)})` : t(`status.${status}`);
  const choiceOf = (label: string, change: Partial<Filters>): Choice => ({
    ...{ label, change },
    current: Object.entries(change).every(
      ([name, value]) => filters[name as keyof Filters] === value,
    ),
  });
  return (
    <nav className="stack" aria-label={t("filter.title")}>
      <Row
        filters={filters}
        label={t("filter.status")}
        choices={STATUSES.map((status) => choiceOf(labelOf(status), { status }))}
      />
      <Row
        filters={filters}
        label={t("filter.type")}
        choices={[
          choiceOf(t("filter.all"), { type: null }),
          ...TYPES.map((type) => choiceOf(t(`types.${type}`), { type })),
        ]}
      />
      <Row
        filters={filters}
        label={t("filter.assignee")}
        choices={[
          choiceOf(t("filter.all"), { assignee: null }),
          ...ASSIGNEES.map((assignee) =>
            choiceOf(t(assignee === "me" ? "filter.mine" : "filter.nobody"), { assignee }),
          ),
        ]}
      />
    </nav>
  );
}

type RowProps = { filters: Filters; label: string; choices: Choice[] };

function Row({ filters, label, choices }: RowProps) {
  const labelId = useId();
  return (
    <Cluster>
      <span id={labelId} className="soft small">
        {label}
      </span>
      <ul className="chips" aria-labelledby={labelId}>
        {choices.map(({ label: text, change, current }) => (
          <li key={text}>
            <a
              className="chip"
              href={paths.desk(addressOf(filters, change))}
              aria-current={current ? "true" : undefined}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </Cluster>
  );
}
