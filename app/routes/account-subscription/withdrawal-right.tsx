import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";

/** Whoever stops within the withdrawal period sees that they may get everything back instead (L221-18). */
export function WithdrawalRight({ until }: { until: string | null }) {
  const t = useT("subscription");
  if (until === null) return null;
  return (
    <p>
      {t("withdrawal.text", { date: until })}{" "}
      <a href={paths.withdrawal()}>{t("withdrawal.open")}</a>
    </p>
  );
}
