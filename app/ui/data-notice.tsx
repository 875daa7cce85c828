import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";

type DataNoticeProps = {
  /** What the data is for, on one line. */
  short: string;
  /** Purpose, legal basis and delay. The delays are those of docs/retention.md. */
  full: string;
};

/** Information where data is collected (RGPD, article 13). Unfolds without script. */
export function DataNotice({ short, full }: DataNoticeProps) {
  const t = useT("ui");
  return (
    <div className="data-notice soft small">
      <p>
        {short} <a href={paths.text("privacy")}>{t("dataNotice.link")}</a>
      </p>
      <details>
        <summary>{t("dataNotice.summary")}</summary>
        <p>
          {t("dataNotice.controller")} {full} {t("dataNotice.rights")}
        </p>
      </details>
    </div>
  );
}
