import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";

/**
 * The card flow without its token, and the way on. The message that names is English: it stands
 * in the page for who looks after the site, people read the French one.
 */
export function NoToken() {
  const t = useT("card");
  return (
    <div className="container page page--narrow stack stack--l" data-error={t("noToken.code")}>
      <PageHeading title={t("noToken.title")} />
      <Notice tone="warning">{t("noToken.text")}</Notice>
      <p>
        <ButtonLink look="primary" href={paths.registration()}>
          {t("noToken.register")}
        </ButtonLink>
      </p>
    </div>
  );
}
