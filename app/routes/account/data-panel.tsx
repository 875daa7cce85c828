import { useT } from "~/i18n/use-t";
import { ServerPart } from "~/layout/server-part";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Panel } from "~/ui/panel";

export function DataPanel() {
  const t = useT("account");
  return (
    <Panel title={t("data.title")} id="data">
      <ServerPart>{import.meta.env.SSR && <DataLink />}</ServerPart>
    </Panel>
  );
}

function DataLink() {
  const t = useT("account");
  return (
    <div className="stack">
      <p>{t("data.text")}</p>
      <p>
        <ButtonLink href={paths.accountData()}>{t("data.manage")}</ButtonLink>
      </p>
    </div>
  );
}
