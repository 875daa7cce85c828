import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Panel } from "~/ui/panel";

export function DataPanel() {
  const t = useT("account");
  return (
    <Panel title={t("data.title")} id="data">
      <p>{t("data.text")}</p>
      <p>
        <ButtonLink href={paths.accountData()}>{t("data.manage")}</ButtonLink>
      </p>
    </Panel>
  );
}
