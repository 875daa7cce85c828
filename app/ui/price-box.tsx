import { mdiLockOutline } from "@mdi/js";
import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import { DefinitionList } from "./definition-list";
import { Icon } from "./icon";

type PriceBoxProps = {
  title?: string;
  /** Words ready to show: `9,90 €`. */
  amount: string;
  /** `par mois` */
  period: string;
  /** `7 jours à 1,00 €` */
  trial?: string;
  /** `9,90 € le 27 nov. 2026` */
  nextDebit?: string;
  /** A line on how card data is kept. */
  trust?: string;
  /** The order button: these figures stand right beside it. */
  children?: ReactNode;
};

export function PriceBox({
  title,
  amount,
  period,
  trial,
  nextDebit,
  trust,
  children,
}: PriceBoxProps) {
  const t = useT("ui");
  const lines = [
    { term: t("price.trial"), value: trial },
    { term: t("price.nextDebit"), value: nextDebit },
  ];
  return (
    <section className="price" aria-label={title ?? t("price.title")}>
      <h2 className="panel__title">{title ?? t("price.title")}</h2>
      <p className="price__amount">
        <span className="price__figure">{amount}</span> {period}
      </p>
      <DefinitionList items={lines} />
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
