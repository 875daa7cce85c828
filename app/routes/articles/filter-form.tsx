import { SEARCH_LENGTH } from "~/contract/limits";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/button";
import { Checkbox } from "~/ui/checkbox";
import { FilterBar, FilterGroup, FilterPanel } from "~/ui/filter-panel";
import { Select } from "~/ui/select";
import { TextInput } from "~/ui/text-input";
import { countFilters, toAddress, KINDS, SORTS, type Filters, type Kind } from "./filters";

export type Choice = { uid: string; name: string };
export type Choices = Record<Kind, Choice[]>;

type FilterFormProps = {
  filters: Filters;
  choices: Choices;
  /** What the list shows with these filters, in words. */
  state: string;
};

const FORM = "filters";

/** The filter form. It uses `get`, so the address holds the filters. */
export function FilterForm({ filters, choices, state }: FilterFormProps) {
  const t = useT("articles");
  const isSearch = filters.q !== "";
  return (
    <FilterPanel active={countFilters(filters)}>
      <form id={FORM} method="get" action={paths.articles()} className="form">
        {KINDS.map((kind, index) => (
          <FilterGroup
            key={kind}
            id={`filter-${kind}`}
            legend={t(kind)}
            active={filters[kind].length}
            open={index === 0 || filters[kind].length > 0}
          >
            {choices[kind].map((choice) => (
              <Choice key={choice.uid} kind={kind} choice={choice} chosen={filters[kind]} />
            ))}
          </FilterGroup>
        ))}
        <Select id="sort" name="sort" label={t("sort")} defaultValue={filters.sort ?? ""}>
          <option value="">{t(isSearch ? "sorts.relevance" : "sorts.date-desc")}</option>
          {SORTS.filter((sort) => isSearch || sort !== "date-desc").map((sort) => (
            <option key={sort} value={sort}>
              {t(`sorts.${sort}`)}
            </option>
          ))}
        </Select>
        <FilterBar state={state}>
          <Button look="primary">{t("apply")}</Button>
        </FilterBar>
        <div className="filter__actions">
          <ButtonLink look="quiet" href={paths.articles(toAddress(filters))}>
            {t("cancel")}
          </ButtonLink>
          <ButtonLink look="quiet" href={paths.articles()}>
            {t("clear")}
          </ButtonLink>
        </div>
      </form>
    </FilterPanel>
  );
}

/** A field of the filter form, outside of it: on a phone the form is closed. */
export function SearchField({ words }: { words: string }) {
  const t = useT("articles");
  return (
    <div role="search" className="search">
      <TextInput
        id="q"
        name="q"
        type="search"
        form={FORM}
        label={t("search.label")}
        maxLength={SEARCH_LENGTH}
        defaultValue={words}
      />
      <Button form={FORM}>{t("search.button")}</Button>
    </div>
  );
}

type ChoiceProps = { kind: Kind; choice: Choice; chosen: string[] };

function Choice({ kind, choice: { uid, name }, chosen }: ChoiceProps) {
  return (
    <Checkbox
      id={`${kind}-${uid}`}
      name={kind}
      value={uid}
      label={name}
      defaultChecked={chosen.includes(uid)}
    />
  );
}
