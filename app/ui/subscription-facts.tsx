import type { ReactNode } from "react";
import type { SubscriptionWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { Tag } from "./chips";
import { DefinitionList } from "./definition-list";
import { Notice } from "./notice";
import { Panel } from "./panel";

type SubscriptionFactsProps = {
  subscription: SubscriptionWords;
  /** More lines below the common ones. */
  more: { term: string; value: ReactNode }[];
  /** Lines below those, whose values are sentences. */
  sentences?: { term: string; value: ReactNode }[];
  children?: ReactNode;
};

/** Price, start and next date of a subscription. */
export function SubscriptionFacts({
  subscription,
  more,
  sentences = [],
  children,
}: SubscriptionFactsProps) {
  const { due, state, formula, price, since, next, until, ended, announced } = subscription;
  const t = useT("account");
  // The renewal is unpaid although no bank has declined it.
  const isAwaited = state === "grace" && due !== null && due !== "declined";
  return (
    <Panel
      title={t("subscription")}
      id="subscription"
      aside={
        <Tag tone={state === "active" ? "success" : "warning"}>
          {t(`state.${isAwaited ? "awaited" : state}`)}
        </Tag>
      }
    >
      <DefinitionList
        items={[
          { term: t("formula"), value: formula },
          { term: t("price"), value: price },
          { term: t("since"), value: since },
          { term: t("next"), value: next },
          { term: t("until"), value: until },
          { term: t("ended"), value: ended },
          ...more,
        ]}
      />
      <DefinitionList sentences items={sentences} />
      {announced.map((sentences) => (
        <Notice key={sentences} tone="warning">
          {sentences}
        </Notice>
      ))}
      {children}
    </Panel>
  );
}
