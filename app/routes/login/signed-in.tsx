import { LOGIN_WAITING_MINUTES } from "~/contract/limits";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { Undoable } from "~/ui/undoable";
import { Unread } from "~/ui/unread";
import { Withdrawable } from "~/ui/withdrawable";
import type { NoAccess } from "./access.server";

type ReturnProps = { returnTo: string | null };
type Props = ReturnProps & {
  email: string;
  why: NoAccess | null;
  needsCoach: boolean;
  /** A text stands below that was not sent. */
  hasUnsent: boolean;
};

/** Shown to signed-in visitors whom the requested page is closed to: says why. */
export function SignedIn({ why, needsCoach, hasUnsent, ...person }: Props) {
  if (why?.kind === "unread") return <UnreadAccess text={why.text} hasUnsent={hasUnsent} />;
  if (needsCoach) return <CoachesOnly email={person.email} />;
  if (why?.kind === "opening") return <Waiting />;
  return why?.kind === "pending" ? <Pending /> : <NoSubscription {...person} why={why} />;
}

function UnreadAccess({ text, hasUnsent }: Pick<Props, "hasUnsent"> & { text: string }) {
  const t = useT("login");
  return (
    <>
      <PageHeading title={t("unread.heading")} />
      <Unread text={text} {...(hasUnsent && { again: null })} />
      <p>
        <a className="lone" href={paths.logout()}>
          {t("why.other")}
        </a>
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

/** The bank has not decided: the payment is shown neither as paid nor as refused. */
function Pending() {
  const t = useT("login");
  return (
    <>
      <PageHeading title={t("pending.heading")} />
      <Notice tone="info" live>
        {t("pending.text")}
      </Notice>
    </>
  );
}

function CoachesOnly({ email }: { email: string }) {
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

/** Says why the account has no access, and how to subscribe. */
function NoSubscription({ email, returnTo, why }: Pick<Props, "email" | "returnTo" | "why">) {
  const t = useT("login");
  const isEnded = why?.kind === "ended";
  const isLate = why?.kind === "late" || (isEnded && why.isLate);
  const onHold = isEnded ? why.onHold : null;
  const isWaiting = isEnded && why.debit !== null && !why.isLeaving;
  return (
    <>
      <PageHeading
        title={t(
          onHold
            ? "onHold.heading"
            : isEnded
              ? "ended.heading"
              : returnTo
                ? "why.heading"
                : "why.open",
        )}
      />
      <Notice tone="info">
        {onHold
          ? t("onHold.text", { email, effect: onHold })
          : isEnded
            ? t("ended.text", { email, date: why.date })
            : t("why.text", { email })}
      </Notice>
      {isEnded && why.refund ? <p>{why.refund}</p> : isEnded && why.debit && <p>{why.debit}</p>}
      {why?.kind === "refused" && <p>{t("why.refused")}</p>}
      {isLate && <p>{t("why.late")}</p>}
      {isEnded && why.undoable && <Undoable words={why.undoable} />}
      {isEnded && why.withdrawable && <Withdrawable words={why.withdrawable} />}
      {isEnded && why.isLeaving && <p>{t("ended.leaving")}</p>}
      <Cluster>
        {!isWaiting && (
          <ButtonLink
            look={onHold ? "secondary" : "primary"}
            href={paths.registration(returnTo ? { returnTo } : {})}
          >
            {t(isEnded ? "ended.again" : "why.subscribe")}
          </ButtonLink>
        )}
        {onHold && (
          <ButtonLink look="quiet" href={paths.cancelContract()}>
            {t("onHold.cancel")}
          </ButtonLink>
        )}
        <ButtonLink look="quiet" href={paths.logout()}>
          {t("why.other")}
        </ButtonLink>
      </Cluster>
      <p>
        {isEnded && why.hasPayments && (
          <>
            <a className="lone" href={paths.accountPayments()}>
              {t("ended.payments")}
            </a>
            <br />
          </>
        )}
        <a className="lone" href={paths.accountData()}>
          {t("why.data")}
        </a>
      </p>
    </>
  );
}
