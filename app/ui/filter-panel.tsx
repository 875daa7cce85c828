import { mdiChevronDown, mdiTuneVariant } from "@mdi/js";
import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import { Icon } from "./icon";

type FilterPanelProps = {
  /** How many filters are active. */
  active: number;
  /** A form of `FilterGroup`s and buttons in `.filter__actions`. */
  children: ReactNode;
};

/**
 * The filters: beside the list from lg, below lg a disclosure above it. The style sheet needs the
 * panel right after the disclosure.
 */
export function FilterPanel({ active, children }: FilterPanelProps) {
  const t = useT("ui");
  return (
    <section className="filter" aria-label={t("filter.title")}>
      <details>
        <summary>
          <Icon path={mdiTuneVariant} />
          {t("filter.title")}
          {active > 0 && <span className="filter__count">{active}</span>}
          <Icon path={mdiChevronDown} />
        </summary>
      </details>
      <div className="filter__panel">
        <h2 className="filter__heading">{t("filter.title")}</h2>
        {children}
      </div>
    </section>
  );
}

type FilterGroupProps = {
  id: string;
  legend: string;
  /** How many of its filters are active. */
  active: number;
  /** Shown at first. Its choices can be folded away in any case. */
  open: boolean;
  children: ReactNode;
};

/** Filters of one kind, folded under their name. */
export function FilterGroup({ id, legend, active, open, children }: FilterGroupProps) {
  return (
    <details className="filter__group" open={open}>
      <summary id={id}>
        {legend} {active > 0 && <span className="filter__count">{active}</span>}
      </summary>
      <div role="group" aria-labelledby={id}>
        {children}
      </div>
    </details>
  );
}

type FilterBarProps = {
  /** What is shown now. The number of what is ticked but not applied is not known without script. */
  state: string;
  children: ReactNode;
};

/** The button that applies the filters: it stays in sight however long their list is. */
export function FilterBar({ state, children }: FilterBarProps) {
  return (
    <div className="filter__bar">
      <p className="small">{state}</p>
      {children}
    </div>
  );
}
