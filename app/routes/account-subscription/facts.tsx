import type { SubscriptionWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Tag } from "~/ui/chips";
import { DefinitionList } from "~/ui/definition-list";
import { Notice } from "~/ui/notice";
import { Panel } from "~/ui/panel";

/** The subscription, its next date, and what became of a stop request. */
export function Facts({ subscription }: { subscription: SubscriptionWords }) {
  const { state, formula, price, since, next, until, ended, reference } = subscription;
  const t = useT("account");
  const own = useT("subscription");
  return (
    <Panel
      title={t("subscription")}
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
          {
            term: t("reference"),
            value: reference && <span className="notranslate">{reference}</span>,
          },
        ]}
      />
      {state === "inProcess" && until && (
        <Notice tone="warning">{own("inProcess", { date: until })}</Notice>
      )}
      {state === "grace" && until && (
        <Notice tone="error">
          <p>{own("grace.text", { date: until })}</p>
          <p>
            <ButtonLink look="primary" href={paths.registrationPayment()}>
              {own("grace.pay")}
            </ButtonLink>
          </p>
        </Notice>
      )}
      {state === "ended" && <Notice tone="info">{own("ended")}</Notice>}
    </Panel>
  );
}
