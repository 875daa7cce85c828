import type { ReadResult } from "~/api/read-result";
import type { SubscriptionWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Panel } from "~/ui/panel";
import { SubscriptionFacts } from "~/ui/subscription-facts";
import { Unread } from "~/ui/unread";

type SubscriptionProps = {
  subscription: ReadResult<SubscriptionWords>;
  statement: ReadResult<{ name: string; url: string }>;
};

export function SubscriptionPanel({ subscription, statement }: SubscriptionProps) {
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
        { term: t("credits"), value: subscription.value.credits },
        {
          term: t("statement"),
          value: statement.kind !== "none" && <Statement statement={statement} />,
        },
      ]}
    >
      {subscription.value.due && (
        <p>
          <ButtonLink look="primary" href={paths.registrationPayment()}>
            {t("pay")}
          </ButtonLink>
        </p>
      )}
      <p>
        <ButtonLink href={paths.accountSubscription()}>{t("manage")}</ButtonLink>
      </p>
    </SubscriptionFacts>
  );
}

/** Who appears on the bank statement. */
function Statement({ statement }: Pick<SubscriptionProps, "statement">) {
  const t = useT("account");
  if (statement.kind !== "found") return t("unread.statement");
  const { name, url } = statement.value;
  return (
    <a href={url} className="notranslate" rel="noreferrer">
      {name}
    </a>
  );
}
