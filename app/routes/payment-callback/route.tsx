import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findPaymentState } from "~/api/payment.server";
import { pageMeta, refreshMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
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
    const here = paths.paymentCallback({ cashback, success: false });
    throw await visit.redirect(paths.login(isSuccess ? undefined : here));
  }
  if (!session.claims()) throw await visit.redirect(paths.registrationResult("success", cashback));
  if (state.kind === "success" && state.isRenewal) {
    // It was charged by itself while the person was about to pay.
    session.flash({ type: "info", key: "renewedMeanwhile" });
    throw await visit.redirect(paths.accountSubscription());
  }
  if (state.kind === "delayed") throw await visit.redirect(paths.accountSubscription());
  if (state.kind === "success")
    throw await visit.redirect(paths.registrationResult("success", cashback));
  if (state.kind === "failure" || state.kind === "late")
    throw await visit.redirect(paths.registrationResult("failure", cashback));
  // Whoever left the bank's page can order again; that page says that an order may be there already.
  const hasLeft = state.kind === "failed" && state.isUntold && !isSuccess;
  if (hasLeft || (state.kind !== "pending" && state.kind !== "failed")) {
    throw await visit.redirect(paths.registration());
  }
  const shown = state.kind === "pending" ? ("pending" as const) : ("unread" as const);
  const words = visit.t("payment", `${shown}.text`);
  const text = shown === "unread" ? visit.markUnread(words) : words;
  return {
    page: visit.describePage({ title: visit.t("payment", `${shown}.title`) }),
    shown,
    text,
    waits: true,
    checkHref: url.pathname + url.search,
  };
}

export default function PendingPayment() {
  const { shown, text, checkHref } = useLoaderData<typeof loader>();
  const t = useT("payment");
  return (
    <div className="container page page--narrow stack stack--l">
      <Steps current="payment" />
      <PageHeading title={t(`${shown}.heading`)} />
      <Notice tone={shown === "pending" ? "info" : "error"} live>
        {text}
      </Notice>
      <p>
        <ButtonLink href={checkHref}>{t("pending.check")}</ButtonLink>
      </p>
    </div>
  );
}
