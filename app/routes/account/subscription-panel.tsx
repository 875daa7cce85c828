import type { SubscriptionWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Tag } from "~/ui/chips";
import { DefinitionList } from "~/ui/definition-list";
import { Panel } from "~/ui/panel";

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
  const { state, formula, price, since, next, until, ended, credits } = subscription;
  return (
    <Panel
      title={t("subscription")}
      id="subscription"
      aside={<Tag tone={state === "active" ? "success" : "warning"}>{t(`state.${state}`)}</Tag>}
    >
      <DefinitionList
        items={[
          { term: t("formula"), value: formula },
          { term: t("price"), value: price },
          { term: t("since"), value: since },
          { term: t("next"), value: next },
          { term: t("until"), value: until },
          { term: t("ended"), value: ended },
          { term: t("credits"), value: credits },
          { term: t("statement"), value: statement && <Statement {...statement} /> },
        ]}
      />
      <p>
        <ButtonLink href={paths.accountSubscription()}>{t("manage")}</ButtonLink>
      </p>
    </Panel>
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
