import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { brokenStatus } from "~/api/errors";
import { FAILED, found, NONE, type ReadResult } from "~/api/read-result";
import { isUnknownCall } from "~/api/unknown-call";
import { linkSecret } from "~/contract/primitives";
import { OwnerField } from "~/forms/owner";
import { isForeign, parseForm, readOwnForm } from "~/forms/read.server";
import { refuseButton, refuseForeign } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths, serverPaths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import { Button, ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";

export const meta = pageMeta;

/** The owner signs in: the link may have gone to a stranger, by a mistyped address. */
export const handle = declarePage({ secured: true });

/** Opening a mailed link changes nothing, because mail scanners open links too. */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const token = visit.url.searchParams.get("token") ?? "";
  const email = await findEmail(visit, token);
  const from = visit.session.claims()?.identifier ?? "";
  const to = email?.kind === "found" ? email.value : null;
  const isUnread = email?.kind === "failed";
  return {
    page: visit.describePage({ title: visit.t("email", "confirm.title") }),
    token,
    from,
    isDead: email === null,
    again: serverPaths.accountEmail(),
    lead: to === null ? null : visit.t("email", "confirm.lead", { from, to }),
    unread: isUnread ? visit.markUnread(visit.t("email", "confirm.unread")) : null,
  };
}

/** Changes the e-mail. The platform ends all sessions, this one too. */
export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request, linkSecret);
  if (isForeign(form)) return refuseForeign(visit);
  const submission = parseForm(form, linkSecret);
  // The page without a secret says that the link does nothing.
  const dead = serverPaths.accountEmailConfirm();
  if (submission.status !== "success") return visit.redirect(dead, { status: 303 });
  const params = { uid: visit.session.claims()?.uid ?? "" };
  const outcome = await visit.attempt("confirmEmailChange", { params, body: submission.value });
  if (!outcome.ok) {
    const { error } = outcome;
    if (brokenStatus(error) !== null) visit.answerInPlace();
    if (error.kind === "validation") return visit.redirect(dead, { status: 303 });
    if (error.kind === "conflict") return refuseButton(visit, error, "emailPending");
    const isUnknown = isUnknownCall("confirmEmailChange", error);
    return refuseButton(visit, error, isUnknown ? "emailUnavailable" : "emailFailed");
  }
  visit.session.clear();
  visit.session.flash({ type: "success", key: "emailChanged" });
  return visit.redirect(paths.login(), { status: 303 });
}

export default function AccountEmailConfirmPage() {
  const { token, from, isDead, again, lead, unread } = useLoaderData<typeof loader>();
  const t = useT("email");
  if (isDead) return <WornOut email={from} again={again} />;
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("confirm.heading")} {...(lead && { lead })} />
      {unread && <Unread text={unread} />}
      <p>{t("confirm.effect")}</p>
      <Form method="post">
        <OwnerField />
        <input type="hidden" name="token" value={token} />
        <Cluster>
          <Button look="primary">{t("confirm.submit")}</Button>
          <ButtonLink look="quiet" href={paths.account()}>
            {t("confirm.leave")}
          </ButtonLink>
        </Cluster>
      </Form>
    </div>
  );
}

/** Shown for a link that does nothing any more. */
function WornOut({ email, again }: { email: string; again: string }) {
  const t = useT("email");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("confirm.heading")} />
      <Notice tone="warning" title={t("wornOut.title")}>
        <p>{t("wornOut.text")}</p>
        <p>{t("wornOut.now", { email })}</p>
      </Notice>
      <p>
        <ButtonLink look="primary" href={again}>
          {t("wornOut.again")}
        </ButtonLink>
      </p>
    </div>
  );
}

/**
 * The e-mail that the link gives the account; none where the API does not tell. Null for a link that does nothing any
 * more. The read uses nothing up.
 */
async function findEmail(visit: Visit, token: string): Promise<ReadResult<string> | null> {
  const link = linkSecret.safeParse({ token });
  if (!link.success) return null;
  const params = { uid: visit.session.claims()?.uid ?? "" };
  const outcome = await visit.attempt("checkEmailLink", { params, body: link.data });
  if (outcome.ok) return found(outcome.value.payload.email);
  if (outcome.error.kind === "validation") return null;
  return isUnknownCall("checkEmailLink", outcome.error) ? NONE : FAILED;
}
