import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import { DefinitionList } from "~/ui/definition-list";
import { Panel } from "~/ui/panel";
import type { DeskSubscriptionWords, DeskThreadWords } from "./words.server";

type PersonPanelProps = DeskThreadWords["person"];

/** What the API tells of a person at the desk, field by field. */
type Told = Exclude<keyof PersonPanelProps, "subscription"> | keyof DeskSubscriptionWords;

type Line = { term: string; value: ReactNode };

export function PersonPanel({ name, email, subscription }: PersonPanelProps) {
  const t = useT("desk");
  // A field that is told and has no line does not compile. Null: it stands in the line of another one.
  const lines = {
    name: { term: t("thread.name"), value: name },
    email: { term: t("thread.email"), value: <span className="notranslate">{email}</span> },
    formula: {
      term: t("thread.subscription"),
      value: subscription
        ? `${subscription.formula}, ${t(`thread.state.${subscription.state}`)}`
        : t("thread.none"),
    },
    state: null,
    since: { term: t("thread.since"), value: subscription?.since },
    nextDate: { term: t("thread.next"), value: subscription?.nextDate },
  } satisfies Record<Told, Line | null>;
  return (
    <Panel title={t("thread.person")}>
      <DefinitionList items={Object.values(lines).filter((line) => line !== null)} />
    </Panel>
  );
}
