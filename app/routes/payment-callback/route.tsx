import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { paymentState } from "~/api/payment.server";
import { pageMeta, refreshing } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { page } from "~/session/access";
import { enter } from "~/session/enter.server";
import { ButtonLink } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { Steps } from "~/ui/steps";

export const meta: MetaFunction = (args) => [...pageMeta(args), ...refreshing(args)];

export const handle = page({ breadcrumb: false, personal: true });

/** Where the bank sends the browser; the address is only a hint, the API tells. */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  const { session, url } = visit;
  const isSuccess = url.searchParams.get("success") === "1";
  const cashback = session.data.cashback ?? url.searchParams.get("cashback") === "1";
  const state = await paymentState(visit);
  if (state.kind === "unknown") {
    if (isSuccess) session.flash({ type: "info", key: "paymentWaiting" });
    throw await visit.redirect(isSuccess ? paths.login() : paths.login(url.pathname + url.search));
  }
  if (!session.claims()) throw await visit.redirect(paths.registrationResult("success", cashback));
  if (state.kind === "success")
    throw await visit.redirect(paths.registrationResult("success", cashback));
  if (state.kind === "failure")
    throw await visit.redirect(paths.registrationResult("failure", cashback));
  if (state.kind !== "pending" && state.kind !== "failed") {
    throw await visit.redirect(paths.registration());
  }
  const shown = state.kind === "pending" ? ("pending" as const) : ("unread" as const);
  return {
    page: visit.page({ title: visit.t("payment", `${shown}.title`) }),
    shown,
    waits: true,
    again: url.pathname + url.search,
  };
}

export default function PendingPayment() {
  const { shown, again } = useLoaderData<typeof loader>();
  const t = useT("payment");
  return (
    <div className="container page page--narrow stack stack--l">
      <Steps current="payment" />
      <PageHeading title={t(`${shown}.heading`)} />
      <Notice tone={shown === "pending" ? "info" : "error"} live>
        {t(`${shown}.text`)}
      </Notice>
      <p>
        <ButtonLink href={again}>{t("pending.check")}</ButtonLink>
      </p>
    </div>
  );
}
