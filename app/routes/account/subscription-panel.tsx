import type { SubscriptionWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Panel } from "~/ui/panel";
import { SubscriptionFacts } from "~/ui/subscription-facts";

type SubscriptionProps = {
  subscription: SubscriptionWords | null;
  statement: { name: string; url: string } | null;
};

export function SubscriptionPanel({ subscription, statement }: SubscriptionProps) {
  const t = useT("account");
  if (!subscription) {
    return (
      <Panel title={t("subscription")} id="subscription">
        <p>{t("noSubscription")}</p>
      </Panel>
    );
  }
  return (
    <SubscriptionFacts
      subscription={subscription}
      more={[
        { term: t("credits"), value: subscription.credits },
        { term: t("statement"), value: statement && <Statement {...statement} /> },
      ]}
    >
      <p>
        <ButtonLink href={paths.accountSubscription()}>{t("manage")}</ButtonLink>
      </p>
    </SubscriptionFacts>
  );
}

/** Who appears on the bank statement. */
function Statement({ name, url }: { name: string; url: string }) {
  return (
    <a href={url} className="notranslate" rel="noreferrer">
      {name}
    </a>
  );
}
