import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { brokenStatus } from "~/api/errors";
import { isUnknownCall } from "~/api/unknown-call";
import { refusedChanges } from "~/api/offer.server";
import { FAILED, found, mapResult, NONE, type ReadResult } from "~/api/read-result";
import type { Undoing, UndoPreview } from "~/contract/notices";
import { PostForm, SendButton } from "~/forms/post-form";
import { offerForm, readShownOffer } from "~/forms/offer.server";
import { isForeign, readOwnForm } from "~/forms/read.server";
import { refuseButton, refuseForeign } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { isCharged, undoableWords, undoEffect } from "~/i18n/undo-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import type { FlashMessage } from "~/session/data";
import { forgetReceipts } from "~/session/kept-receipt.server";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import { ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { formatAmount } from "~/i18n/format";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";

export const meta = pageMeta;

/** Open to every account: a contract that a stranger's notice has ended can still be taken back. */
export const handle = declarePage({ secured: true });

/** Shows what undoing would change and charge, before its button. */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const subscription = await visit.find("getSubscription", {});
  const undoable = mapResult(subscription, ({ payload }) => undoableWords(payload));
  const isNone = undoable.kind === "none" || (undoable.kind === "found" && !undoable.value);
  const read = isNone ? NONE : await findPreview(visit);
  const preview = read.kind === "found" ? read.value : null;
  const unreadEffect =
    read.kind === "failed" && visit.markUnread(visit.t("links", "effect.unread"));
  const unread = undoable.kind === "failed" && visit.markUnread(visit.t("subscription", "unread"));
  return {
    page: visit.describePage({ title: visit.t("subscription", "unsigned.title") }),
    isNone,
    unread,
    declared: undoable.kind === "found" ? (undoable.value?.declared ?? []) : [],
    effect: preview && undoEffect(preview),
    unreadEffect,
    offer: preview?.offer?.statement ?? null,
    price: preview?.offer ? formatAmount(preview.offer.amountNow) : null,
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request, offerForm);
  if (isForeign(form)) return refuseForeign(visit);
  const { statement: offer } = readShownOffer(form);
  const outcome = await visit.attempt("undoUnsignedNotices", { body: { ...(offer && { offer }) } });
  if (outcome.ok) {
    // The answer came with the roles from before. The next one opens the page of the subscription.
    await visit.signedIn();
    forgetReceipts(visit);
    return redirectBack(visit, flashOf(outcome.value.payload, offer));
  }
  if (outcome.error.kind === "notFound") {
    return redirectBack(visit, { type: "info", key: "unsignedNone" });
  }
  const undone = brokenStatus(outcome.error) && (await findUndone(visit, offer));
  if (undone) return redirectBack(visit, undone);
  const isUnshown = refusedChanges(outcome.error).length > 0;
  return refuseButton(visit, outcome.error, isUnshown ? "unsignedChanged" : "dataError");
}

export default function UndoPage() {
  const { isNone, unread, declared, effect, unreadEffect, offer, price } =
    useLoaderData<typeof loader>();
  const t = useT("subscription");
  const tLinks = useT("links");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("unsigned.heading")} />
      {unread && <Unread text={unread} />}
      {declared.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p>{isNone ? t("unsigned.none") : t("unsigned.all")}</p>
      {effect && <p>{effect}</p>}
      {unreadEffect && <Unread text={unreadEffect} />}
      <PostForm>
        {offer && <input type="hidden" name="offer" value={offer} />}
        <Cluster>
          {!isNone && (
            <SendButton look="primary">
              {price ? t("unsigned.pay", { amount: price }) : t("unsigned.submit")}
            </SendButton>
          )}
          <ButtonLink look="quiet" href={paths.accountSubscription()}>
            {isNone ? t("unsigned.back") : tLinks("leave")}
          </ButtonLink>
        </Cluster>
      </PostForm>
    </div>
  );
}

/** What is said of an undoing whose answer was lost, if it did its work all the same. */
async function findUndone(
  visit: Visit,
  shownOffer: string | undefined,
): Promise<FlashMessage | null> {
  const read = await visit.attempt("getSubscription", {});
  if (!read.ok || read.value.payload.hasUnsignedNotice) return null;
  const { endedDateTime, cancelledDateTime, plannedEndDateTime, cardMissing } = read.value.payload;
  // What ended may be on hold and go on later. Whoever has no card must pay in time. Their mail says it.
  if (endedDateTime || cardMissing) return { type: "warning", key: "unsignedUndoneMailed" };
  const status = cancelledDateTime ? "stopped" : "undone";
  return flashOf({ status, ...(plannedEndDateTime && { plannedEndDateTime }) }, shownOffer);
}

/** Without it no amount is named, and the API charges nothing that was not shown. An API may have none. */
async function findPreview(visit: Visit): Promise<ReadResult<UndoPreview>> {
  const outcome = await visit.attempt("previewUndoUnsignedNotices", { body: {} });
  if (outcome.ok) return found(outcome.value.payload);
  return isUnknownCall("previewUndoUnsignedNotices", outcome.error) ? NONE : FAILED;
}

function redirectBack(visit: Visit, message: FlashMessage) {
  visit.session.flash(message);
  return visit.redirect(paths.accountSubscription(), { status: 303 });
}

function flashOf(undoing: Undoing, shownOffer: string | undefined): FlashMessage {
  const { status, plannedEndDateTime, payUntilDateTime: until, holdUntilDateTime = "" } = undoing;
  if (status === "ended") return { type: "warning", key: "unsignedUndoneEnded" };
  if (status === "over") return { type: "warning", key: "withdrawalUndoOver" };
  if (status === "stopped") return { type: "warning", key: "unsignedUndoneStopped" };
  if (status === "onHold") {
    return { type: "warning", key: "unsignedUndoneOnHold", until: holdUntilDateTime };
  }
  if (isCharged(undoing, shownOffer)) return { type: "success", key: "unsignedUndoneCharged" };
  if (until) return { type: "warning", key: "unsignedUndoneByHand", until };
  return { type: "success", key: plannedEndDateTime ? "unsignedUndonePlanned" : "unsignedUndone" };
}
