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

export function FilterGroup({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="field-group filter__group">
      <legend>{legend}</legend>
      {children}
    </fieldset>
  );
}
