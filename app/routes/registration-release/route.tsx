import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { FAILED, found, NONE, type ReadResult } from "~/api/read-result";
import { isUnknownCall } from "~/api/unknown-call";
import { linkSecret } from "~/contract/primitives";
import type { ReleasePreview } from "~/contract/subscriptions";
import { OwnerField } from "~/forms/owner";
import { isForeign, parseForm, readOwnForm } from "~/forms/read.server";
import { isRetryable, refuseButton, refuseForeign } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { refundsOnDeletion } from "~/i18n/rest-words.server";
import { creditOfContract, type LossWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import { Button, ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { Loss } from "~/ui/loss";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";

export const meta = pageMeta;

export const handle = declarePage({ indexed: false, personal: true });

/** Opening a mailed link changes nothing, because mail scanners open links too. */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const token = visit.url.searchParams.get("token") ?? "";
  const effects = await readEffects(visit, token);
  // After a post, its own answer says what became of the link.
  if (effects === null && !visit.answersInPlace())
    throw await redirectWithError(visit, "releaseFailed");
  const isUnread = effects?.kind === "failed";
  return {
    page: visit.describePage({ title: visit.t("release", "title") }),
    token,
    ...(effects?.kind === "found" ? effects.value : NO_EFFECTS),
    payments: visit.t("data", "deletion.payments"),
    unread: isUnread && visit.markUnread(visit.t("release", "unread")),
  };
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
  const { token, undo, refunds, credit, payments, unread } = useLoaderData<typeof loader>();
  const t = useT("release");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("heading")} lead={t("lead")} />
      <Notice tone="warning" title={t("lost.title")}>
        <p>{t("lost.text")}</p>
        <p>{payments}</p>
      </Notice>
      {undo && (
        <Notice tone="warning">
          <p>{t(undo)}</p>
          <p>
            <ButtonLink href={paths.accountSubscriptionUndo()}>{t("openUndo")}</ButtonLink>
          </p>
        </Notice>
      )}
      <p>{t("right")}</p>
      {unread && <Unread text={unread} />}
      {refunds.map((refund) => (
        <Notice key={refund}>{refund}</Notice>
      ))}
      <Loss words={credit} />
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

type Effects = {
  /** The stop came of others, and its person may still undo it instead: the contract goes on, or the account alone stays. */
  undo: "undo" | "undoKept" | null;
  /** What is given back, in sentences. */
  refunds: string[];
  credit: LossWords;
};

const NO_EFFECTS: Effects = { undo: null, refunds: [], credit: null };

/**
 * What the deletion gives back and loses; none where the API does not tell. Null for a link that does nothing any
 * more: it was used, is too old, or was cut. The read uses nothing up.
 */
async function readEffects(visit: Visit, token: string): Promise<ReadResult<Effects> | null> {
  const link = linkSecret.safeParse({ token });
  if (!link.success) return null;
  const outcome = await visit.attempt("checkReleaseLink", { body: link.data });
  if (outcome.ok) return found(effectsOf(outcome.value.payload));
  if (outcome.error.kind === "validation") return null;
  return isUnknownCall("checkReleaseLink", outcome.error) ? NONE : FAILED;
}

const effectsOf = (preview: ReleasePreview): Effects => ({
  undo: !preview.hasUnsignedNotice ? null : preview.continuesIfUndone ? "undo" : "undoKept",
  refunds: refundsOnDeletion(preview),
  credit: creditOnRelease(preview),
});

function creditOnRelease({ credit, ...preview }: ReleasePreview): LossWords {
  if (!credit) return null;
  const isWithdrawing = preview.isWithdrawing === true;
  const continuesIfUndone = preview.continuesIfUndone === true;
  return creditOfContract(credit, { isWithdrawing, continuesIfUndone }).onDeletion;
}

/** Whoever is signed in has an account and is not told to register again. */
function redirectWithError(visit: Visit, reason: "releaseFailed" | "releaseUnavailable") {
  const isMember = reason === "releaseFailed" && visit.session.claims() !== null;
  visit.session.flash({ type: "error", key: isMember ? "releaseDead" : reason });
  return visit.redirect(paths.registration(), { status: 303 });
}
