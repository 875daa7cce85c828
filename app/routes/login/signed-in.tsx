import { LOGIN_WAITING_MINUTES } from "~/contract/limits";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";
import type { Access } from "./access.server";

type ReturnProps = { returnTo: string | null };
type Props = ReturnProps & { email: string; access: Access; needsCoach: boolean };

/** Signed in, but this page is not open to them: not yet, or not without a subscription. */
export function SignedIn({ access, needsCoach, ...person }: Props) {
  if (needsCoach) return <NotOfTheTeam email={person.email} />;
  if (access === "unread") return <UnreadAccess />;
  return access === "waits" ? <Waiting /> : <NoSubscription {...person} />;
}

function UnreadAccess() {
  const t = useT("login");
  return (
    <>
      <PageHeading title={t("unread.heading")} />
      <Unread text={t("unread.text")} />
      <p>
        <a href={paths.logout()}>{t("why.other")}</a>
      </p>
    </>
  );
}

function Waiting() {
  const t = useT("login");
  return (
    <>
      <PageHeading title={t("waiting.heading")} />
      <Notice tone="info" live>
        {t("waiting.text", { count: LOGIN_WAITING_MINUTES })}
      </Notice>
    </>
  );
}

function NotOfTheTeam({ email }: { email: string }) {
  const t = useT("login");
  return (
    <>
      <PageHeading title={t("team.heading")} />
      <Notice tone="info">{t("team.text", { email })}</Notice>
      <Cluster>
        <ButtonLink look="primary" href={paths.account()}>
          {t("team.account")}
        </ButtonLink>
        <ButtonLink look="quiet" href={paths.logout()}>
          {t("why.other")}
        </ButtonLink>
      </Cluster>
    </>
  );
}

/** A signed-in reader without the role learns why, and the way on. */
function NoSubscription({ email, returnTo }: ReturnProps & { email: string }) {
  const t = useT("login");
  return (
    <>
      <PageHeading title={t("why.heading")} />
      <Notice tone="info">{t("why.text", { email })}</Notice>
      <Cluster>
        <ButtonLink look="primary" href={paths.registration(returnTo ? { returnTo } : {})}>
          {t("why.subscribe")}
        </ButtonLink>
        <ButtonLink look="quiet" href={paths.logout()}>
          {t("why.other")}
        </ButtonLink>
      </Cluster>
      <p>
        <a href={paths.accountData()}>{t("why.data")}</a>
      </p>
    </>
  );
}
