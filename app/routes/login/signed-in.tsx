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
      <Unread text={text} {...(hasUnsent && { retry: null })} />
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
        <OtherAccount />
      </Cluster>
    </>
  );
}

/** Says why the account has no access, and how to subscribe. */
function NoSubscription({ why, ...person }: Pick<Props, "email" | "returnTo" | "why">) {
  return why?.kind === "ended" ? (
    <EndedAccess {...person} ended={why} />
  ) : (
    <NeverSubscribed {...person} why={why?.kind} />
  );
}

type PersonProps = ReturnProps & { email: string };

function NeverSubscribed({
  email,
  returnTo,
  why,
}: PersonProps & { why: NoAccess["kind"] | undefined }) {
  const t = useT("login");
  return (
    <>
      <PageHeading title={t(returnTo ? "why.heading" : "why.open")} />
      <Notice tone="info">{t("why.text", { email })}</Notice>
      {why === "refused" && <p>{t("why.refused")}</p>}
      {why === "late" && <p>{t("why.late")}</p>}
      <Cluster>
        <ButtonLink look="primary" href={registrationFor(returnTo)}>
          {t("why.subscribe")}
        </ButtonLink>
        <OtherAccount />
      </Cluster>
      <p>
        <OwnData />
      </p>
    </>
  );
}

type EndedProps = PersonProps & { ended: Extract<NoAccess, { kind: "ended" }> };

function EndedAccess({ email, returnTo, ended }: EndedProps) {
  const t = useT("login");
  const { onHold, debit, refund, undoable, withdrawable, isLeaving, isLate } = ended;
  const isWaiting = debit !== null && !isLeaving;
  const money = refund ?? debit;
  return (
    <>
      <PageHeading title={t(onHold ? "onHold.heading" : "ended.heading")} />
      <Notice tone="info">
        {onHold
          ? t("onHold.text", { email, effect: onHold })
          : t("ended.text", { email, date: ended.date })}
      </Notice>
      {money && <p>{money}</p>}
      {isLate && <p>{t("why.late")}</p>}
      {undoable && <Undoable words={undoable} />}
      {withdrawable && <Withdrawable words={withdrawable} />}
      {isLeaving && <p>{t("ended.leaving")}</p>}
      <Cluster>
        {!isWaiting && (
          <ButtonLink look={onHold ? "secondary" : "primary"} href={registrationFor(returnTo)}>
            {t("ended.again")}
          </ButtonLink>
        )}
        {onHold && (
          <ButtonLink look="quiet" href={paths.cancelContract()}>
            {t("onHold.cancel")}
          </ButtonLink>
        )}
        <OtherAccount />
      </Cluster>
      <p>
        {ended.hasPayments && (
          <>
            <a className="lone" href={paths.accountPayments()}>
              {t("ended.payments")}
            </a>
            <br />
          </>
        )}
        <OwnData />
      </p>
    </>
  );
}

const registrationFor = (returnTo: string | null) =>
  paths.registration(returnTo ? { returnTo } : {});

function OtherAccount() {
  const t = useT("login");
  return (
    <ButtonLink look="quiet" href={paths.logout()}>
      {t("why.other")}
    </ButtonLink>
  );
}

function OwnData() {
  const t = useT("login");
  return (
    <a className="lone" href={paths.accountData()}>
      {t("why.data")}
    </a>
  );
}
