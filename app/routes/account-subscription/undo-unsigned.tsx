import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";

/** Leads to the page that shows what undoing would charge, before anything is undone. */
export function UndoUnsigned({ isWithdrawing }: { isWithdrawing: boolean }) {
  const t = useT("subscription");
  return (
    <>
      <p>{t("unsigned.text")}</p>
      <Cluster>
        <ButtonLink href={paths.accountSubscriptionUndo()}>{t("unsigned.open")}</ButtonLink>
      </Cluster>
      {isWithdrawing && (
        <p>
          <a href={paths.withdrawal()}>{t("unsigned.withdraw")}</a>
        </p>
      )}
    </>
  );
}
