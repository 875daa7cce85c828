import { mdiLockOutline } from "@mdi/js";
import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import { DefinitionList } from "./definition-list";
import { Icon } from "./icon";

type Line = { term: string; text: string };

type PriceBoxProps = {
  title?: string;
  /** What is due today. */
  now: Line;
  /** The other words of the order, in their order. */
  lines: readonly Line[];
  /** Name on the bank statement. */
  statementDescriptor?: string | null;
  /** A line about the protection of card data. */
  trust?: string;
  /** The order button. The amounts must stand right beside it. */
  children?: ReactNode;
};

const Untranslated = ({ children }: { children: string }) => (
  <span className="notranslate">{children}</span>
);

/** What is ordered, right before the button that orders or leads to the bank (L221-14). */
export function PriceBox({
  title,
  now,
  lines,
  statementDescriptor,
  trust,
  children,
}: PriceBoxProps) {
  const t = useT("ui");
  const items = [
    ...lines.map(({ term, text }) => ({ term, value: text })),
    {
      term: t("price.statement"),
      value: statementDescriptor && <Untranslated>{statementDescriptor}</Untranslated>,
    },
  ];
  return (
    <section className="price" aria-label={title ?? t("price.title")}>
      <h2 className="panel__title">{title ?? t("price.title")}</h2>
      <p className="price__amount">
        {t("price.now", { term: now.term })} <span className="price__figure">{now.text}</span>
      </p>
      <DefinitionList sentences items={items} />
      {children && <div className="price__action">{children}</div>}
      {trust && (
        <p className="trust">
          <Icon path={mdiLockOutline} />
          {trust}
        </p>
      )}
    </section>
  );
}
