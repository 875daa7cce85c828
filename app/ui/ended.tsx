import type { ReactNode } from "react";
import type { SubscriptionWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "./button";
import { Cluster } from "./cluster";
import { Notice } from "./notice";

type EndedProps = {
  subscription: Pick<SubscriptionWords, "ending">;
  /** What comes back after a withdrawal, in words. */
  refund: string | null;
  /** Whether the page of payments has something to show. */
  hasPayments: boolean;
  /** Further ways on. */
  children?: ReactNode;
};

/**
 * Says what comes back after the end of a subscription, and how to go on. Nothing while it runs. It stands in a
 * part that only the server renders (`ServerPart`).
 */
export function Ended({ subscription: { ending }, refund, hasPayments, children }: EndedProps) {
  const t = useT("account");
  const tPayments = useT("payments");
  if (ending === null) return null;
  return (
    <div className="stack">
      <Notice tone={ending.isOnHold ? "warning" : "info"}>
        <p>{ending.text}</p>
        {refund !== null && <p>{refund}</p>}
        {hasPayments && (
          <p>
            <a href={paths.accountPayments()}>{tPayments("all")}</a>
          </p>
        )}
      </Notice>
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
    </div>
  );
}
