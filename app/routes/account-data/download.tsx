import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Panel } from "~/ui/panel";

export function Download() {
  const t = useT("data");
  return (
    <Panel title={t("download.title")}>
      <p>{t("download.text")}</p>
      <p className="soft small">
        {t("download.contact")} <a href={paths.contactLink()}>{t("download.newLink")}</a>
      </p>
      <p>
        <ButtonLink href={paths.accountExport()}>{t("download.submit")}</ButtonLink>
      </p>
    </Panel>
  );
}
