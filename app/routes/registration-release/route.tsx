import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { isDeadLink } from "~/api/mailed-link.server";
import { isUnknownCall } from "~/api/unknown-call";
import { linkSecret } from "~/contract/primitives";
import { OwnerField } from "~/forms/owner";
import { isForeign, parseForm, readOwnForm } from "~/forms/read.server";
import { isRetryable, refuseButton, refuseForeign } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import { Button, ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";

export const meta = pageMeta;

export const handle = declarePage({ indexed: false, personal: true });

/** Opening a mailed link changes nothing, because mail scanners open links too. */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const token = visit.url.searchParams.get("token") ?? "";
  const isDead = !visit.answersInPlace() && (await isDeadLink(visit, "checkReleaseLink", token));
  if (isDead) throw await redirectWithError(visit, "releaseFailed");
  return { page: visit.describePage({ title: visit.t("release", "title") }), token };
}

/** Deletes the old account that the link was mailed for. Its e-mail can then register again. */
export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request, linkSecret);
  if (isForeign(form)) return refuseForeign(visit);
  const submission = parseForm(form, linkSecret);
  if (submission.status !== "success") return redirectWithError(visit, "releaseFailed");
  const outcome = await visit.attempt("releaseAddress", { body: submission.value });
  if (!outcome.ok) {
    const { error } = outcome;
    if (isRetryable(error)) return refuseButton(visit, error, "releaseFailed");
    // An external API may not know this call.
    return redirectWithError(
      visit,
      isUnknownCall("releaseAddress", error) ? "releaseUnavailable" : "releaseFailed",
    );
  }
  if (outcome.value.payload.status === "waiting") {
    visit.session.flash({ type: "warning", key: "releaseWaiting" });
    return visit.redirect(paths.home(), { status: 303 });
  }
  visit.session.disconnect("default");
  visit.session.flash({ type: "success", key: "addressReleased" });
  return visit.redirect(paths.registration(), { status: 303 });
}

export default function RegistrationReleasePage() {
  const { token } = useLoaderData<typeof loader>();
  const t = useT("release");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("heading")} lead={t("lead")} />
      <Notice tone="warning" title={t("lost.title")}>
        <p>{t("lost.text")}</p>
      </Notice>
      <Notice tone="warning">
        <p>{t("undo")}</p>
        <p>
          <ButtonLink href={paths.accountSubscriptionUndo()}>{t("openUndo")}</ButtonLink>
        </p>
      </Notice>
      <p>{t("right")}</p>
      <Form method="post">
        <OwnerField />
        <Cluster>
          <input type="hidden" name="token" value={token} />
          <Button look="primary">{t("submit")}</Button>
          <ButtonLink look="quiet" href={paths.home()}>
            {t("leave")}
          </ButtonLink>
        </Cluster>
      </Form>
    </div>
  );
}

function redirectWithError(visit: Visit, key: "releaseFailed" | "releaseUnavailable") {
  visit.session.flash({ type: "error", key });
  return visit.redirect(paths.registration(), { status: 303 });
}
