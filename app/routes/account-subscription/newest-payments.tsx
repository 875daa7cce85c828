import type { PaymentWords } from "~/i18n/payment-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { PaymentList } from "~/ui/payment-list";
import { Unread } from "~/ui/unread";

type NewestPaymentsProps = { rows: readonly PaymentWords[]; isUnread: boolean };

/** The newest payments and the way to all; nothing where there are none. */
export function NewestPayments({ rows, isUnread }: NewestPaymentsProps) {
  const t = useT("payments");
  if (isUnread) return <Unread text={t("unread")} />;
  if (rows.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="payments">
      <h2 id="payments">{t("title")}</h2>
      <PaymentList rows={rows} />
      <p>
        <a className="lone" href={paths.accountPayments()}>
          {t("all")}
        </a>
      </p>
    </section>
  );
}
