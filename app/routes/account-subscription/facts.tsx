import type { SubscriptionWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { SubscriptionFacts } from "~/ui/subscription-facts";

/** The subscription, its next date and the state of a stop request. */
export function Facts({ subscription }: { subscription: SubscriptionWords }) {
  const { state, until, reference, due, accessEnd } = subscription;
  const t = useT("account");
  const tSubscription = useT("subscription");
  const contract = reference && <span className="notranslate">{reference}</span>;
  return (
    <SubscriptionFacts
      subscription={subscription}
      more={[{ term: t("reference"), value: contract }]}
    >
      {state === "inProcess" && until && (
        <Notice tone="warning">{tSubscription("inProcess", { date: until })}</Notice>
      )}
      {due && (
        <Notice tone={state === "grace" ? "error" : "warning"}>
          {due !== "missing" && (
            <p>{tSubscription(`due.${due}.text`, { date: until ?? accessEnd })}</p>
          )}
          <p>
            <ButtonLink look="primary" href={paths.registrationPayment()}>
              {tSubscription(`due.${due}.pay`)}
            </ButtonLink>
          </p>
        </Notice>
      )}
      {state === "ended" && <Notice tone="info">{tSubscription("ended")}</Notice>}
    </SubscriptionFacts>
  );
}
