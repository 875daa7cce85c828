import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import {
  findWithdrawnOf,
  listsPayments,
  listsPaymentsOfEnded,
} from "~/api/contract-payments.server";
import { brokenStatus, type Failure } from "~/api/errors";
import { mapResult, NONE, type ReadResult } from "~/api/read-result";
import { findSubscribed, findSubscription } from "~/api/subscription.server";
import { NEWEST_PAYMENTS } from "~/contract/limits";
import { failureErrors } from "~/forms/failures.server";
import { parseForm, readOwnForm } from "~/forms/read.server";
import { refuse, type FormReply } from "~/forms/refuse.server";
import { useAnswer } from "~/forms/unsent";
import { pageMeta } from "~/i18n/meta";
import { withdrawnWords } from "~/i18n/refund-words.server";
import { contractLinkWords } from "~/i18n/contract-words.server";
import { paymentWords } from "~/i18n/payment-words.server";
import { restInstead } from "~/i18n/rest-words.server";
import {
  stopEffect,
  subscriptionWords,
  type SubscriptionWords,
} from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { ServerPart } from "~/layout/server-part";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import { ContractLink } from "~/ui/contract-link";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";
import { stopForm } from "./form";
import { Facts } from "./facts";
import { NewestPayments } from "./newest-payments";
import { Stop } from "./stop";
import { UndoUnsigned } from "./undo-unsigned";
import { WithdrawalRight } from "./withdrawal-right";

export const meta = pageMeta;

export const handle = declarePage({
  secured: true,
  roles: ["vip"],
  hydrate: "whenTouched",
  i18n: ["account", "subscription"],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const subscribed = await findSubscribed(visit);
  const asked = visit.url.searchParams.has("stop");
  const [proof, payments] = await Promise.all([
    visit.find("getContractProof", { query: {} }),
    // The question stands before the page, and nobody looks for a receipt behind it.
    asked ? NONE : visit.find("listPayments", { query: { length: NEWEST_PAYMENTS } }),
  ]);
  const unread =
    subscribed.kind === "failed" && visit.markUnread(visit.t("subscription", "unread"));
  return {
    page: visit.describePage({ title: visit.t("subscription", "title") }),
    unread,
    subscription: mapResult(subscribed, ({ subscription, formula }) =>
      subscriptionWords(subscription, formula),
    ),
    refund: withdrawnWords(await findWithdrawnOf(visit, subscribed)),
    hasPayments: await listsPaymentsOfEnded(visit, subscribed),
    /** What may be done instead of the stop. */
    instead: subscribed.kind === "found" ? restInstead(subscribed.value.subscription) : null,
    stopEffect: subscribed.kind === "found" ? stopEffect(subscribed.value.subscription) : null,
    contract: mapResult(proof, ({ payload }) => contractLinkWords(payload)),
    payments: mapResult(payments, ({ payload }) => payload.map(paymentWords)),
    asked,
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request, stopForm);
  const submission = parseForm(form, stopForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const outcome = await visit.attempt("unsubscribe", { body: {} });
  if (!outcome.ok && !(await isStopped(visit, outcome.error))) {
    return refuse(visit, submission, failureErrors("unsubscribe", outcome.error));
  }
  // A conflict recorded and mails nothing.
  const isEarlier = !outcome.ok && outcome.error.kind === "conflict";
  const asked = (await listsPayments(visit)) ? STOP_ASKED : STOP_RECORDED;
  visit.session.flash(isEarlier ? STOPPED_BEFORE : asked);
  return visit.redirect(paths.accountSubscription(), { status: 303 });
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

const STOP_ASKED = { type: "success", key: "stopAsked" } as const;
const STOP_RECORDED = { type: "success", key: "stopRecorded" } as const;
const STOPPED_BEFORE = { type: "info", key: "stoppedBefore" } as const;

/**
 * Whether another tab, or this request whose answer was lost, has stopped the subscription. What others declared
 * may have stopped it as well: then a lost request is sent again.
 */
async function isStopped(visit: Visit, failure: Failure) {
  const isConflict = failure.kind === "conflict";
  if (!isConflict && brokenStatus(failure) === null) return false;
  const read = await findSubscription(visit);
  if (read.kind !== "found" || read.value.cancelledDateTime === null) return false;
  return isConflict || !read.value.hasUnsignedNotice;
}

/**
 * Whether the stop form is shown. A refused form stays even while the subscription cannot be read, or was stopped
 * by what others declared.
 */
function hasStopForm(subscription: ReadResult<SubscriptionWords>, reply: FormReply | undefined) {
  const isRefused = reply?.lastResult !== undefined;
  if (subscription.kind !== "found") return subscription.kind === "failed" && isRefused;
  const { isStoppable, undoable } = subscription.value;
  return isStoppable || (isRefused && undoable !== null);
}

export default function SubscriptionPage() {
  const {
    subscription,
    refund,
    hasPayments,
    stopEffect,
    instead,
    unread,
    contract,
    payments,
    asked,
  } = useLoaderData<typeof loader>();
  const reply = useAnswer<FormReply>();
  const t = useT("subscription");
  const withdrawableUntil =
    subscription.kind === "found" ? subscription.value.withdrawableUntil : null;
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("title")} />
      {subscription.kind === "none" && <Notice tone="info">{t("none")}</Notice>}
      {unread && <Unread text={unread} />}
      {subscription.kind === "found" && (
        <Facts subscription={subscription.value} refund={refund} hasPayments={hasPayments} />
      )}
      {subscription.kind === "found" && subscription.value.undoable && (
        <UndoUnsigned isWithdrawing={subscription.value.isWithdrawing} />
      )}
      {!asked && <WithdrawalRight until={withdrawableUntil} />}
      {(subscription.kind === "found" || contract.kind !== "none") && (
        <ContractLink
          contract={contract.kind === "found" ? contract.value : null}
          isUnread={contract.kind === "failed"}
        />
      )}
      <ServerPart>
        {import.meta.env.SSR && (
          <NewestPayments
            rows={payments.kind === "found" ? payments.value : []}
            isUnread={payments.kind === "failed"}
          />
        )}
      </ServerPart>
      {hasStopForm(subscription, reply) && (
        <Stop
          effect={stopEffect}
          instead={instead}
          withdrawableUntil={withdrawableUntil}
          credit={
            subscription.kind === "found" ? (subscription.value.credit?.onStop ?? null) : null
          }
          asked={asked}
          reply={reply}
        />
      )}
    </div>
  );
}
