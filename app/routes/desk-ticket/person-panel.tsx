import { useT } from "~/i18n/use-t";
import { DefinitionList } from "~/ui/definition-list";
import { Panel } from "~/ui/panel";
import type { DeskSubscriptionWords } from "./words.server";

type PersonPanelProps = { name: string; email: string; subscription: DeskSubscriptionWords | null };

export function PersonPanel({ name, email, subscription }: PersonPanelProps) {
  const t = useT("desk");
  return (
    <Panel title={t("thread.person")}>
      <DefinitionList
        items={[
          { term: t("thread.name"), value: name },
          { term: t("thread.email"), value: <span className="notranslate">{email}</span> },
          {
            term: t("thread.subscription"),
            value: subscription
              ? `${subscription.formula}, ${t(`thread.state.${subscription.state}`)}`
              : t("thread.none"),
          },
          { term: t("thread.since"), value: subscription?.since },
          { term: t("thread.next"), value: subscription?.next },
        ]}
      />
    </Panel>
  );
}
