import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { TextInput } from "~/ui/text-input";
import { toAddress, type Filters } from "./filters";

/** The search form. It uses `get`: it works without script, and the result can be bookmarked. */
export function Search({ filters }: { filters: Filters }) {
  const t = useT("desk");
  const { q: _, ...kept } = toAddress(filters, {});
  return (
    <div className="stack">
      <form method="get" action={paths.desk()} className="search" role="search">
        {Object.entries(kept).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <TextInput
          id="desk-q"
          name="q"
          type="search"
          label={t("search.label")}
          hint={t("search.hint")}
          defaultValue={filters.q}
          maxLength={200}
          autoComplete="off"
        />
        <Button>{t("search.submit")}</Button>
      </form>
      {filters.q && (
        <p>
          <a href={paths.desk(toAddress(filters, { q: "" }))}>{t("search.clear")}</a>
        </p>
      )}
    </div>
  );
}
