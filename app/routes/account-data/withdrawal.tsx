import type { LossWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Loss } from "~/ui/loss";
import { Panel } from "~/ui/panel";

/**
 * Precedes the deletion form: a person who leaves within the withdrawal period sees first that they can
 * get a refund (L221-18).
 */
export function Withdrawal({ until, credit }: { until: string; credit: LossWords }) {
  const t = useT("data");
  return (
    <Panel title={t("withdrawal.title")} id="withdrawal-panel">
      <p>{t("withdrawal.text", { date: until })}</p>
      <p>{t("withdrawal.instead")}</p>
      <Loss words={credit} />
      <p>
        <ButtonLink look="primary" href={paths.withdrawal()}>
          {t("withdrawal.submit")}
        </ButtonLink>
      </p>
    </Panel>
  );
}

/** Somebody who was not signed in declared one: what its owner does where it is theirs. */
export function OpenWithdrawal({ credit }: { credit: LossWords }) {
  const t = useT("data");
  return (
    <Panel title={t("withdrawal.open.title")} id="withdrawal-panel">
      <p>{t("withdrawal.open.text")}</p>
      <Loss words={credit} />
      <p>
        <ButtonLink look="primary" href={paths.withdrawal()}>
          {t("withdrawal.submit")}
        </ButtonLink>
      </p>
    </Panel>
  );
}
