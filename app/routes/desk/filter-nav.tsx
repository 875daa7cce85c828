import { useId } from "react";
import type { DeskCounts } from "~/contract/desk";
import {
  FILTER_STATUSES,
  statusesOf,
  SUPPORT_TYPES,
  type FilterStatus,
} from "~/contract/ticket-status";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Cluster } from "~/ui/cluster";
import { FilterPanel } from "~/ui/filter-panel";
import { countActive, toAddress, ASSIGNEES, type Filters } from "./filters";

/** `counts`: null when they could not be read. */
type FilterNavProps = { filters: Filters; counts: DeskCounts | null };
type Choice = { label: string; href: string; current: boolean };

/**
 * Links that filter the inbox by status, type and assignee. A status has its count where that is the number of
 * tickets it leads to: an assignee or a search leaves fewer. On small screens they are folded.
 */
export function FilterNav({ filters, counts }: FilterNavProps) {
  const t = useT("desk");
  const types = filters.type ? [filters.type] : SUPPORT_TYPES;
  const countOf = (counted: DeskCounts, status: FilterStatus) =>
    types
      .flatMap((type) => statusesOf(status).map((one) => counted[type][one]))
      .reduce((sum, one) => sum + one, 0);
  const isCounted = filters.assignee === null && filters.q === "";
  const labelOf = (status: FilterStatus) =>
    counts && isCounted
      ? `${t(`status.${status}`)} (${countOf(counts, status)})`
      : t(`status.${status}`);
  const currentHref = paths.desk(toAddress(filters, {}));
  const choiceOf = (label: string, change: Partial<Filters>): Choice => {
    const href = paths.desk(toAddress(filters, change));
    return { label, href, current: href === currentHref };
  };
  return (
    <FilterPanel active={countActive(filters)}>
      <nav className="stack" aria-label={t("filter.title")}>
        <ChoiceRow
          label={t("filter.status")}
          choices={[
            ...(filters.q === "" ? [] : [choiceOf(t("filter.all"), { status: null })]),
            ...FILTER_STATUSES.map((status) => choiceOf(labelOf(status), { status })),
          ]}
        />
        <ChoiceRow
          label={t("filter.type")}
          choices={[
            choiceOf(t("filter.all"), { type: null }),
            ...SUPPORT_TYPES.map((type) => choiceOf(t(`types.${type}`), { type })),
          ]}
        />
        <ChoiceRow
          label={t("filter.assignee")}
          choices={[
            choiceOf(t("filter.all"), { assignee: null }),
            ...ASSIGNEES.map((assignee) =>
              choiceOf(t(assignee === "me" ? "filter.mine" : "filter.nobody"), { assignee }),
            ),
          ]}
        />
      </nav>
    </FilterPanel>
  );
}

type RowProps = { label: string; choices: Choice[] };

function ChoiceRow({ label, choices }: RowProps) {
  const labelId = useId();
  return (
    <Cluster>
      <span id={labelId} className="soft small">
        {label}
      </span>
      <ul className="chips" aria-labelledby={labelId}>
        {choices.map(({ label: text, href, current }) => (
          <li key={text}>
            <a className="chip" href={href} aria-current={current ? "true" : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </Cluster>
  );
}
