import type { ReactNode } from "react";

type DefinitionListProps = {
  /** Items without a value are left out. */
  items: { term: string; value?: ReactNode }[];
  /** The values are sentences: they stand under their terms and read from the left. */
  sentences?: boolean;
};

export function DefinitionList({ items, sentences = false }: DefinitionListProps) {
  const shown = items.filter(({ value }) => value || value === 0);
  if (shown.length === 0) return null;
  return (
    <dl className={`definitions${sentences ? " definitions--sentences" : ""}`}>
      {shown.map(({ term, value }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
