import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { isUnknownCall } from "~/api/unknown-call";
import { refusedChanges } from "~/api/offer.server";
import { FAILED, found, NONE, type ReadResult } from "~/api/read-result";
import {
  undoRequest,
  type ConfirmedWithdrawal,
  type Undoing,
  type UndoPreview,
} from "~/contract/notices";
import { linkSecret } from "~/contract/primitives";
import { OwnerField } from "~/forms/owner";
import { isForeign, parseForm, readOwnForm } from "~/forms/read.server";
import { refuseButton, refuseForeign } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { isCharged, undoEffect } from "~/i18n/undo-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import type { FlashMessage } from "~/session/data";
import { forgetReceipts, keepReceipt } from "~/session/kept-receipt.server";
import { pagePathname } from "~/session/page-request.server";
import { openVisit, type Visit } from "~/session/visit.server";
import { Button, ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { formatAmount, formatDateTime } from "~/i18n/format";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";

export const meta = pageMeta;

export const handle = declarePage({ indexed: false, breadcrumb: false, personal: true });

/**
 * Mailed links: opening one changes nothing, so that scanners do no harm. What undoing would
 * charge stands on the page, and goes along with the button.
 */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const name = linkNameOf(visit);
  const token = visit.url.searchParams.get("token") ?? "";
  const read = await readPreview(visit, token);
  const unread = read.kind === "failed" && visit.markUnread(visit.t("links", "effect.unread"));
  const preview = read.kind === "found" ? read.value : null;
  const isOpen = read.kind !== "none" && preview?.closed === undefined;
  const heading = isOpen ? (`${name}.title` as const) : "closed.heading";
  return {
    page: visit.describePage({ title: visit.t("links", heading) }),
    name,
    lead: leadOf(visit, name, preview),
    token,
    isOpen,
    closed: preview?.closed ?? null,
    hasAccount: preview?.accountDeleted === undefined,
    effect: preview && undoEffect(preview),
    unread,
    offer: preview?.offer?.statement ?? null,
    price: preview?.offer ? formatAmount(preview.offer.amountNow) : null,
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request, linkForm);
  if (isForeign(form)) return refuseForeign(visit);
  const { call, key } = choiceOf(visit, form.get("intent"));
  const submission = parseForm(form, linkForm);
  if (submission.status !== "success") return redirectToLink(visit, "");
  const { token, offer } = submission.value;
  const body = call === "confirmWithdrawal" ? { token } : { token, ...(offer && { offer }) };
  const outcome = await visit.attempt(call, { body });
  if (outcome.ok) {
    const { payload } = outcome.value;
    if ("receipt" in payload && payload.receipt) return redirectToReceipt(visit, payload.receipt);
    forgetReceipts(visit, key === "undo" ? paths.cancelContract() : paths.withdrawal());
    return redirectHome(visit, flashOf(key, payload, offer));
  }
  if (refusedChanges(outcome.error).length > 0)
    return refuseButton(visit, outcome.error, "offerChanged");
  return outcome.error.kind === "validation"
    ? redirectToLink(visit, token)
    : refuseButton(visit, outcome.error, "dataError");
}

export default function NoticeLinkPage() {
  const { isOpen } = useLoaderData<typeof loader>();
  return isOpen ? <OpenLink /> : <ClosedLink />;
}

/** What became of the notice. It promises nothing, and has no button. */
function ClosedLink() {
  const { name, closed, hasAccount } = useLoaderData<typeof loader>();
  const t = useT("links");
  const isDeclarable = name === "withdrawal" && closed === "undone";
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("closed.heading")} />
      <p>{closed ? t(`closed.${name}.${closed}`) : t("effect.badLink")}</p>
      <Cluster>
        {closed && hasAccount && (
          <ButtonLink href={paths.accountSubscription()}>{t("closed.subscription")}</ButtonLink>
        )}
        {!closed && <ButtonLink href={paths.contact()}>{t("closed.contact")}</ButtonLink>}
        {isDeclarable && <ButtonLink href={paths.withdrawal()}>{t("closed.declare")}</ButtonLink>}
        <ButtonLink look="quiet" href={paths.home()}>
          {t("closed.home")}
        </ButtonLink>
      </Cluster>
    </div>
  );
}

function OpenLink() {
  const { name, lead, token, effect, unread, offer, price } = useLoaderData<typeof loader>();
  const t = useT("links");
  const undo = price ? t(`${name}.pay`, { amount: price }) : null;
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t(`${name}.heading`)} lead={lead} />
      {unread && <Unread text={unread} />}
      {name === "undo" && effect && <p>{effect}</p>}
      <Form method="post" className="form">
        <OwnerField />
        <input type="hidden" name="token" value={token} />
        {offer && <input type="hidden" name="offer" value={offer} />}
        <Button look="primary">{(name === "undo" && undo) || t(`${name}.submit`)}</Button>
        {name === "withdrawal" && (
          <>
            <p>
              {t("withdrawal.otherwise")} {effect}
            </p>
            <Button name="intent" value="undo">
              {undo ?? t("withdrawal.undo")}
            </Button>
          </>
        )}
        <ButtonLink look="quiet" href={paths.home()}>
          {t("leave")}
        </ButtonLink>
      </Form>
    </div>
  );
}

/** An offer that is no statement was not shown by this page. */
const linkForm = undoRequest.extend({ offer: undoRequest.shape.offer.catch(undefined) });

/**
 * What undoing would do; none for an unknown link. One that could not be read says nothing of
 * the contract: the buttons stay, because the API charges nothing that was not shown. They stay
 * too, and no effect is named, where the API has no previews.
 */
async function readPreview(visit: Visit, token: string): Promise<ReadResult<UndoPreview | null>> {
  const body = linkSecret.safeParse({ token });
  if (!body.success) return NONE;
  const call = linkNameOf(visit) === "undo" ? "previewUndoCancellation" : "previewUndoWithdrawal";
  const outcome = await visit.attempt(call, { body: body.data });
  if (outcome.ok) return found(outcome.value.payload);
  if (isUnknownCall(call, outcome.error)) return found(null);
  return outcome.error.kind === "validation" ? NONE : FAILED;
}

/** What the link is for. That of a withdrawal names the day on which it is refunded without an answer. */
function leadOf(visit: Visit, name: LinkName, preview: UndoPreview | null): string {
  if (name === "undo") return visit.t("links", "undo.text");
  const refundedAt = preview?.refundDateTime;
  const when = refundedAt
    ? visit.t("links", "withdrawal.when.known", { date: formatDateTime(refundedAt) })
    : visit.t("links", "withdrawal.when.unknown");
  return visit.t("links", "withdrawal.text", { when });
}

/** Shows what became of the link, which had no effect any more when its form came. */
function redirectToLink(visit: Visit, token: string) {
  const query = new URLSearchParams({ token });
  return visit.redirect(`${pagePathname(visit.url)}?${query}`, { status: 303 });
}

/** The receipt takes the place of that of the declaration, which asked to confirm it. */
function redirectToReceipt(visit: Visit, receipt: NonNullable<ConfirmedWithdrawal>) {
  const { receivedAt, lostCredit, ...declared } = receipt;
  const sent = keepReceipt(visit, {
    path: paths.withdrawal(),
    receivedAt,
    isConfirmed: true,
    ...(lostCredit !== undefined && { lostCredit }),
    declared,
  });
  return visit.redirect(paths.withdrawal({ sent }), { status: 303 });
}

function redirectHome(visit: Visit, message: FlashMessage) {
  visit.session.flash(message);
  return visit.redirect(paths.home(), { status: 303 });
}

type LinkName = "withdrawal" | "undo";

/** The two links differ in their texts and calls. */
const linkNameOf = ({ url }: Visit): LinkName =>
  url.pathname.startsWith(paths.withdrawal()) ? "withdrawal" : "undo";

/**
 * The call for the pressed button. A withdrawal can be confirmed or undone, a cancellation only
 * undone.
 */
function choiceOf(visit: Visit, intent: unknown) {
  if (linkNameOf(visit) === "undo") return { call: "undoCancellation", key: "undo" } as const;
  return intent === "undo"
    ? ({ call: "undoWithdrawal", key: "withdrawalUndo" } as const)
    : ({ call: "confirmWithdrawal", key: "withdrawal" } as const);
}

function flashOf(
  key: ReturnType<typeof choiceOf>["key"],
  outcome: { status: "confirmed" } | Undoing,
  shownOffer: string | undefined,
): FlashMessage {
  if (key === "withdrawal" || outcome.status === "confirmed")
    return { type: "success", key: "withdrawalDone" };
  const { status, plannedEndDateTime, payUntilDateTime: until } = outcome;
  const charged = isCharged(outcome, shownOffer);
  if (status === "ended") return { type: "warning", key: `${key}Ended` };
  if (status === "over") return { type: "warning", key: "withdrawalUndoOver" };
  if (status === "stopped") return { type: "warning", key: `${key}Stopped` };
  if (status === "onHold") {
    return { type: "warning", key: `${key}OnHold`, until: outcome.holdUntilDateTime ?? "" };
  }
  if (until && !charged) return { type: "warning", key: `${key}ByHand`, until };
  // The button may have been pressed twice: then the first press may have charged the card.
  if (outcome.isCharged === false) return { type: "success", key: `${key}Mailed` };
  if (plannedEndDateTime && !charged) return { type: "success", key: `${key}Planned` };
  return { type: "success", key: charged ? `${key}Charged` : `${key}Done` };
}
