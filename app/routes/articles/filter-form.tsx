import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/button";
import { Checkbox } from "~/ui/checkbox";
import { FilterGroup, FilterPanel } from "~/ui/filter-panel";
import { Select } from "~/ui/select";
import { toAddress, KINDS, SORTS, type Filters, type Kind } from "./filters";

export type Choice = { uid: string; name: string };
export type Choices = Record<Kind, Choice[]>;

type FilterFormProps = { filters: Filters; choices: Choices };

/** The filter form. It uses `get`, so the address holds the filters. */
export function FilterForm({ filters, choices }: FilterFormProps) {
  const t = useT("articles");
  const active = KINDS.reduce((count, kind) => count + filters[kind].length, 0);
  return (
    <FilterPanel active={active}>
      <form method="get" action={paths.articles()} className="form">
        {KINDS.map((kind) => (
          <FilterGroup key={kind} legend={t(kind)}>
            {choices[kind].map((choice) => (
              <Choice key={choice.uid} kind={kind} choice={choice} chosen={filters[kind]} />
            ))}
          </FilterGroup>
        ))}
        <Select id="sort" name="sort" label={t("sort")} defaultValue={filters.sort}>
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {t(`sorts.${sort}`)}
            </option>
          ))}
        </Select>
        <div className="filter__actions">
          <Button look="primary">{t("apply")}</Button>
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
