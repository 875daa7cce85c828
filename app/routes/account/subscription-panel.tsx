import type { ReadResult } from "~/api/read-result";
import type { SubscriptionWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { ServerPart } from "~/layout/server-part";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Due } from "~/ui/due";
import { Ended } from "~/ui/ended";
import { Panel } from "~/ui/panel";
import { SubscriptionFacts } from "~/ui/subscription-facts";
import { Unread } from "~/ui/unread";

type SubscriptionProps = {
  subscription: ReadResult<SubscriptionWords>;
  statement: ReadResult<{ name: string; url: string }>;
  /** What comes back after a withdrawal, in words. */
  refund: string | null;
  /** Whether the page of payments has something to show of an ended contract. */
  hasPayments: boolean;
};

export function SubscriptionPanel(props: SubscriptionProps) {
  const { subscription, statement, refund, hasPayments } = props;
  const t = useT("account");
  if (subscription.kind !== "found") {
    return (
      <Panel title={t("subscription")} id="subscription">
        {subscription.kind === "failed" ? (
          <Unread text={t("unread.subscription")} />
        ) : (
          <p>{t("noSubscription")}</p>
        )}
      </Panel>
    );
  }
  return (
    <SubscriptionFacts
      subscription={subscription.value}
      more={[
        {
          term: t("statement"),
          // The name on the bank statement.
          value:
            statement.kind === "found" ? (
              <a href={statement.value.url} className="notranslate" rel="noreferrer">
                {statement.value.name}
              </a>
            ) : (
              statement.kind === "failed" && t("unread.statement")
            ),
        },
        // Last, before the sentence that tells its state.
        { term: t("credits"), value: subscription.value.credits },
      ]}
      sentences={[{ term: t("creditState"), value: subscription.value.credit?.state }]}
    >
      <Due subscription={subscription.value} />
      {subscription.value.state === "ended" ? (
        <ServerPart>
          {import.meta.env.SSR && (
            <Ended subscription={subscription.value} refund={refund} hasPayments={hasPayments}>
              {subscription.value.undoable && (
                <ButtonLink href={paths.accountSubscriptionUndo()}>{t("undo")}</ButtonLink>
              )}
            </Ended>
          )}
        </ServerPart>
      ) : (
        <p>
          <ButtonLink href={paths.accountSubscription()}>{t("manage")}</ButtonLink>
        </p>
      )}
    </SubscriptionFacts>
  );
}
