import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { checkOffer, isOfferRefusal, offerAgain } from "~/api/offer.server";
import {
  paymentInTheWay,
  paymentLink,
  paymentState,
  type PaymentState,
} from "~/api/payment.server";
import { offerForm, offerOnPage, shownOffer, type OfferOnPage } from "~/forms/offer.server";
import { isForeign, readOwnForm } from "~/forms/read.server";
import { refuseButton, refuseForeign } from "~/forms/refuse.server";
import { pageMeta, refreshing } from "~/i18n/meta";
import { paths } from "~/paths";
import { page } from "~/session/access";
import { enter, type Visit } from "~/session/enter.server";
import { formatAmount } from "~/ui/format";
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
  if (state.kind === "over") throw await visit.redirect(paths.registration());
  if (state.kind === "unknown") throw await visit.redirect(paths.login(visit.url.pathname));
  const shown = shownResult(result, state);
  const vip = visit.session.hasRole("vip");
  return {
    page: visit.page({ title: visit.t("payment", titles[shown.kind]) }),
    shown,
    vip,
    waits: shown.kind === "unread" || (shown.kind === "success" && !vip),
    returnTo: visit.session.data.returnTo ?? null,
    offer: await offerToRetry(visit, state),
    credit: shown.kind === "success" ? await creditOf(visit) : null,
  };
}

/** Tries again what the page showed: a new page at the bank, for the account that exists already. */
export async function action(args: ActionFunctionArgs) {
  const visit = await enter(args, handle);
  const form = await readOwnForm(visit, args.request, offerForm);
  if (isForeign(form)) return refuseForeign(visit);
  if (!visit.session.claims()) return visit.leaveSignedOut();
  const checked = await checkOffer(visit, shownOffer(form));
  if (checked.kind === "changed") return showAnew(visit);
  if (checked.kind === "failed") return refuseButton(visit, checked.error, "paymentLink");
  const link = await paymentLink(visit, checked);
  if (link.ok) return visit.redirect(link.url, { status: 303 });
  if (isOfferRefusal(link.error)) return showAnew(visit);
  if (link.error.kind === "unauthorized") return visit.leaveSignedOut();
  const decided = link.error.kind === "conflict" ? await paymentInTheWay(visit) : null;
  if (decided) return visit.redirect(decided, { status: 303 });
  return refuseButton(visit, link.error, "paymentLink");
}

export default function RegistrationResultPage() {
  const { shown, vip, returnTo, offer, credit } = useLoaderData<typeof loader>();
  return (
    <div className="container page page--narrow stack stack--l">
      {shown.kind === "success" && <Success vip={vip} returnTo={returnTo} credit={credit} />}
      {shown.kind === "failure" && <Failure failure={shown} offer={offer} />}
      {shown.kind === "left" && <Left offer={offer} />}
      {shown.kind === "none" && <None />}
      {shown.kind === "unread" && <UnreadResult />}
    </div>
  );
}

/** The offer of the payment that failed or was left, as it is now. */
async function offerToRetry(visit: Visit, state: PaymentState): Promise<OfferOnPage | null> {
  if (!("bought" in state)) return null;
  const found = await offerAgain(visit, state.bought);
  return found.ok ? offerOnPage(found.offer) : null;
}

/** What the partner's offer gives back to who has just subscribed. */
async function creditOf(visit: Visit): Promise<string | null> {
  const outcome = await visit.attempt("getSubscription", {});
  const credits = outcome.ok ? outcome.value.payload.credits : null;
  return credits ? formatAmount(credits) : null;
}

/** The page has no form to fill: it comes back with the new price, and says so above. */
async function showAnew(visit: Visit) {
  // What is offered changes for whoever has paid in another tab.
  const decided = await paymentInTheWay(visit);
  if (decided) return visit.redirect(decided, { status: 303 });
  visit.session.flash({ type: "warning", key: "offerChanged" });
  return visit.redirect(visit.url.pathname, { status: 303 });
}
