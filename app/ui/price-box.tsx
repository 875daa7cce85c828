import { mdiLockOutline } from "@mdi/js";
import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import { DefinitionList } from "./definition-list";
import { Icon } from "./icon";

type PriceBoxProps = {
  title?: string;
  /** Words ready to show. `1,00 €`: what is charged first. */
  now: string;
  /** What is bought. */
  gets: string;
  /** `7 jours à 1,00 €`, or that it is used. */
  trial?: string;
  /** `9,90 € le 27 nov. 2026, puis 9,90 € par mois` */
  nextDebit: string;
  /** That there is no minimal duration. */
  duration: string;
  /** How long one may withdraw. */
  withdrawal?: string;
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

/** In the order of L221-14: what is due now, what one gets, what follows, for how long. */
export function PriceBox({
  title,
  now,
  gets,
  trial,
  nextDebit,
  duration,
  withdrawal,
  credit,
  due,
  statement,
  trust,
  children,
}: PriceBoxProps) {
  const t = useT("ui");
  const lines = [
    { term: t("price.gets"), value: gets },
    { term: t("price.trial"), value: trial },
    { term: t("price.due"), value: due },
    { term: t("price.nextDebit"), value: nextDebit },
    { term: t("price.duration"), value: duration },
    { term: t("price.withdrawal"), value: withdrawal },
    { term: t("price.credit"), value: credit },
    { term: t("price.statement"), value: statement && <Untranslated>{statement}</Untranslated> },
  ];
  return (
    <section className="price" aria-label={title ?? t("price.title")}>
      <h2 className="panel__title">{title ?? t("price.title")}</h2>
      <p className="price__amount">
        {t("price.now")} <span className="price__figure">{now}</span>
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
