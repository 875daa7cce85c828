import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findDebitAfterEnd, findPaymentState, type LastPaymentState } from "~/api/payment.server";
import { isEnded } from "~/api/subscription.server";
import { formatDate } from "~/i18n/format";
import { pageMeta, refreshMeta } from "~/i18n/meta";
import { debitAfterEnd, isOnHold } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths, serverPaths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { ButtonLink } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { Steps } from "~/ui/steps";

export const meta: MetaFunction = (args) => [...pageMeta(args), ...refreshMeta(args)];

export const handle = declarePage({ indexed: false, breadcrumb: false, personal: true });

/**
 * The bank sends the browser here. The result is read from the API, the address proves nothing
 * (R-4.7).
 */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const { session, url } = visit;
  const isSuccess = url.searchParams.get("success") === "1";
  const cashback = session.data.cashback ?? url.searchParams.get("cashback") === "1";
  const state = await findPaymentState(visit);
  if (state.kind === "unknown") {
    if (isSuccess) session.flash({ type: "info", key: "paymentWaiting" });
    const here = serverPaths.paymentCallback({ cashback, success: false });
    throw await visit.redirect(paths.login(isSuccess ? undefined : here));
  }
  if (!session.claims())
    throw await visit.redirect(serverPaths.registrationResult("success", cashback));
  if (state.kind === "success" && state.isRenewal) {
    // The renewal was charged by itself while the person was about to pay.
    session.flash({ type: "info", key: "renewedMeanwhile" });
    throw await visit.redirect(paths.accountSubscription());
  }
  if (state.kind === "delayed") throw await visit.redirect(paths.accountSubscription());
  if (state.kind === "success")
    throw await visit.redirect(serverPaths.registrationResult("success", cashback));
  if (state.kind === "failure" || state.kind === "late")
    throw await visit.redirect(serverPaths.registrationResult("failure", cashback));
  // Whoever left the bank's page can order again; that page says that an order may be there already.
  const hasLeft = state.kind === "failed" && state.isUntold && !isSuccess;
  if (hasLeft || (state.kind !== "pending" && state.kind !== "failed")) {
    throw await visit.redirect(paths.registration());
  }
  const debit = await findDebitAfterEnd(visit, state);
  const over = debit.kind === "found" ? debit.value : null;
  // This account cannot order any more. The registration opens another one, which can order at once.
  if (over && isEnded(over.subscription)) throw await visit.redirect(paths.registration());
  // The contract may go on by itself. The login page says so, and how to prevent it.
  if (over && isOnHold(over.subscription)) throw await visit.redirect(paths.login());
  const shown = shownOf(state, over !== null);
  const date = over ? formatDate(over.endedDateTime) : "";
  const words = visit.t("payment", `${shown}.text`, { date });
  const text = shown === "unread" ? visit.markUnread(words) : words;
  return {
    page: visit.describePage({ title: visit.t("payment", `${shown}.title`) }),
    shown,
    text,
    debit: over && debitAfterEnd(over.amount, over.subscription),
    waits: true,
    checkHref: url.pathname + url.search,
  };
}

/** `over`: the contract has ended meanwhile, and nothing opens with its payment. */
function shownOf({ kind }: LastPaymentState, isOver: boolean): "over" | "pending" | "unread" {
  if (isOver) return "over";
  return kind === "pending" ? "pending" : "unread";
}

export default function PendingPayment() {
  const { shown, text, debit, checkHref } = useLoaderData<typeof loader>();
  const t = useT("payment");
  return (
    <div className="container page page--narrow stack stack--l">
      {shown !== "over" && <Steps current="payment" />}
      <PageHeading title={t(`${shown}.heading`)} />
      <Notice tone={shown === "unread" ? "error" : "info"} live>
        {text}
      </Notice>
      {debit && <p>{debit}</p>}
      <p>
        <ButtonLink href={checkHref}>{t("pending.check")}</ButtonLink>
      </p>
    </div>
  );
}
