import { mdiLockOutline } from "@mdi/js";
import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import { DefinitionList } from "./definition-list";
import { Icon } from "./icon";

type PriceBoxProps = {
  title?: string;
  /** Formatted amount: `9,90 €`. */
  amount: string;
  /** `par mois` */
  period: string;
  /** `7 jours à 1,00 €` */
  trial?: string;
  /** First charge: `1,00 €`. */
  now?: string;
  /** `9,90 € le 27 nov. 2026` */
  nextDebit?: string;
  /** Cashback of the partner's offer: `20,00 €`. */
  credit?: string;
  /** Paid period of a running contract: `à partir du 27 nov. 2026`. */
  due?: string;
  /** Name on the bank statement. */
  statement?: string | null;
  /** A line about the protection of card data. */
  trust?: string;
  /** The order button. The amounts must stand right beside it. */
  children?: ReactNode;
};

const Untranslated = ({ children }: { children: string }) => (
  <span className="notranslate">{children}</span>
);

export function PriceBox({
  title,
  amount,
  period,
  trial,
  now,
  nextDebit,
  credit,
  due,
  statement,
  trust,
  children,
}: PriceBoxProps) {
  const t = useT("ui");
  const lines = [
    { term: t("price.trial"), value: trial },
    { term: t("price.due"), value: due },
    { term: t("price.now"), value: now },
    { term: t("price.nextDebit"), value: nextDebit },
    { term: t("price.credit"), value: credit },
    { term: t("price.statement"), value: statement && <Untranslated>{statement}</Untranslated> },
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
