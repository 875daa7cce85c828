import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";

/**
 * What the owner does about a declaration without sign-in. Undoing leads to the page that shows what it would charge,
 * before anything is undone.
 */
export function UndoUnsigned({ isWithdrawing }: { isWithdrawing: boolean }) {
  const t = useT("subscription");
  return (
    <>
      {isWithdrawing && (
        <>
          <p>{t("unsigned.own")}</p>
          <Cluster>
            <ButtonLink href={paths.withdrawal()}>{t("unsigned.withdraw")}</ButtonLink>
          </Cluster>
        </>
      )}
      <p>{t("unsigned.text")}</p>
      <Cluster>
        <ButtonLink href={paths.accountSubscriptionUndo()}>{t("unsigned.open")}</ButtonLink>
      </Cluster>
    </>
  );
}
