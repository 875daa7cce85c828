import type { ReactNode } from "react";

/** Items without a value are left out. */
type DefinitionListProps = { items: { term: string; value?: ReactNode }[] };

export function DefinitionList({ items }: DefinitionListProps) {
  const shown = items.filter(({ value }) => value !== undefined && value !== null && value !== "");
  if (shown.length === 0) return null;
  return (
    <dl className="definitions">
      {shown.map(({ term, value }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
