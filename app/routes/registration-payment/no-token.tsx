import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";

/** Shown when the card flow has no traffic token. It links to the plain registration. */
export function NoToken() {
  const t = useT("card");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("noToken.title")} />
      <Notice tone="warning">
        <p>{t("noToken.text")}</p>
        <p className="small">
          <code className="notranslate" lang="en">
            {t("noToken.code")}
          </code>
        </p>
      </Notice>
      <p>
        <ButtonLink look="primary" href={paths.registration()}>
          {t("noToken.register")}
        </ButtonLink>
      </p>
      <p>
        {t("noToken.member")}{" "}
        <a href={paths.login(paths.registrationPayment())}>{t("noToken.login")}</a>
      </p>
    </div>
  );
}
