import type { ReactNode } from "react";
import type { SubscriptionWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "./button";
import { Cluster } from "./cluster";
import { Notice } from "./notice";

type EndedProps = {
  subscription: Pick<SubscriptionWords, "ending">;
  /** Further ways on. */
  children?: ReactNode;
};

/** Says how to go on after the end of a subscription. Nothing while it runs. */
export function Ended({ subscription: { ending }, children }: EndedProps) {
  const t = useT("account");
  if (ending === null) return null;
  return (
    <>
      <Notice tone={ending.isOnHold ? "warning" : "info"}>{ending.text}</Notice>
      <Cluster>
        <ButtonLink look={ending.isOnHold ? "secondary" : "primary"} href={paths.registration()}>
          {t("again")}
        </ButtonLink>
        {ending.isOnHold && (
          <ButtonLink look="quiet" href={paths.cancelContract()}>
            {t("cancel")}
          </ButtonLink>
        )}
        {children}
      </Cluster>
    </>
  );
}
