import type { SubscriptionWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { ServerPart } from "~/layout/server-part";
import { Due } from "~/ui/due";
import { Ended } from "~/ui/ended";
import { Notice } from "~/ui/notice";
import { SubscriptionFacts } from "~/ui/subscription-facts";

type FactsProps = {
  subscription: SubscriptionWords;
  /** What comes back after a withdrawal, in words. */
  refund: string | null;
  /** Whether the page of payments has something to show of an ended contract. */
  hasPayments: boolean;
};

/** The subscription, its next date and the state of a stop request. */
export function Facts({ subscription, refund, hasPayments }: FactsProps) {
  const { state, until, reference, credit } = subscription;
  const t = useT("account");
  const tSubscription = useT("subscription");
  const contract = reference && <span className="notranslate">{reference}</span>;
  return (
    <SubscriptionFacts
      subscription={subscription}
      more={[{ term: t("reference"), value: contract }]}
      sentences={[
        { term: t("credits"), value: credit?.terms },
        { term: t("creditState"), value: credit?.state },
      ]}
    >
      {state === "inProcess" && until && (
        <Notice tone="warning">{tSubscription("inProcess", { date: until })}</Notice>
      )}
      <Due subscription={subscription} />
      {subscription.ending && (
        <ServerPart>
          {import.meta.env.SSR && (
            <Ended subscription={subscription} refund={refund} hasPayments={hasPayments} />
          )}
        </ServerPart>
      )}
    </SubscriptionFacts>
  );
}
