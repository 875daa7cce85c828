import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { paymentLink, paymentState } from "~/api/payment.server";
import { isForeign, readForm } from "~/forms/read.server";
import { refuseButton, refuseForeign, refuseUnread } from "~/forms/refuse.server";
import { pageMeta, refreshing } from "~/i18n/meta";
import { paths } from "~/paths";
import { page } from "~/session/access";
import { enter } from "~/session/enter.server";
import { Failure, Left, None, Success, UnreadResult } from "./results";
import { shownResult, titles } from "./shown-result.server";

export const meta: MetaFunction = (args) => [...pageMeta(args), ...refreshing(args)];

export const handle = page({ breadcrumb: false, personal: true });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  const { result } = args.params;
  if (result !== "success" && result !== "failure") {
    return visit.leaveMissing();
  }
  const state = await paymentState(visit);
  if (state.kind === "pending") throw await visit.redirect(paths.paymentCallback());
  if (state.kind === "unknown") throw await visit.redirect(paths.login(visit.url.pathname));
  const shown = shownResult(result, state);
  const vip = visit.session.hasRole("vip");
  return {
    page: visit.page({ title: visit.t("payment", titles[shown.kind]) }),
    shown,
    vip,
    waits: shown.kind === "unread" || (shown.kind === "success" && !vip),
    returnTo: visit.session.data.returnTo ?? null,
  };
}

/** Tries again: a new page at the bank, for the account that exists already. */
export async function action(args: ActionFunctionArgs) {
  const visit = await enter(args, handle);
  const form = await readForm(args.request);
  if (isForeign(form)) return refuseForeign(visit);
  const link = await paymentLink(visit);
  if (link.ok) return visit.redirect(link.url, { status: 303 });
  if (link.error === "unread") return refuseUnread(visit);
  if (link.error.kind === "unauthorized") return visit.leaveSignedOut();
  return refuseButton(visit, link.error, "paymentLink");
}

export default function RegistrationResultPage() {
  const { shown, vip, returnTo } = useLoaderData<typeof loader>();
  return (
    <div className="container page page--narrow stack stack--l">
      {shown.kind === "success" && <Success vip={vip} returnTo={returnTo} />}
      {shown.kind === "failure" && <Failure {...shown} />}
      {shown.kind === "left" && <Left />}
      {shown.kind === "none" && <None />}
      {shown.kind === "unread" && <UnreadResult />}
    </div>
  );
}
