import { randomUUID } from "node:crypto";
import type { Submission } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { checkOffer, currentOffer, isNotSold, type CheckedOffer } from "~/api/offer.server";
import { leftSubscription } from "~/api/subscription.server";
import { config } from "~/config.server";
import { failureErrors } from "~/forms/failures.server";
import { goToBank } from "~/forms/go-to-bank.server";
import {
  offerForm,
  offerOnPage,
  refuseOrder,
  shownOffer,
  type OfferOnPage,
} from "~/forms/offer.server";
import { openAccount } from "~/forms/open-account.server";
import { parseForm, readOwnForm } from "~/forms/read.server";
import { refuse, type FormReply } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { page } from "~/session/access";
import { enter, type Visit } from "~/session/enter.server";
import { rememberFunnel } from "~/session/funnel.server";
import { formatDate } from "~/ui/format";
import { PageHeading } from "~/ui/page-heading";
import { PriceBox } from "~/ui/price-box";
import { Steps } from "~/ui/steps";
import { Unread } from "~/ui/unread";
import { MemberForm, RegistrationForm, RestartForm } from "./fields";
import { continuation, registrationForm } from "./form";

/** Of the loader's data, what a refused post has changed. */
type Refreshed = { member?: string | null; offer?: OfferOnPage | null };

export const meta = pageMeta;

export const handle = page({ hydrate: true, i18n: ["registration"] });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  rememberFunnel(visit, { cashback: isWelcome(visit) });
  if (visit.session.hasRole("vip")) throw await visit.redirect(paths.account());
  const left = await leftSubscription(visit);
  const found = await currentOffer(visit);
  return {
    page: visit.page({
      title: visit.t("registration", isWelcome(visit) ? "welcome.title" : "title"),
      description: visit.t("registration", "description"),
    }),
    member: visit.session.claims()?.identifier ?? null,
    left: left.kind === "found" ? { date: formatDate(left.value.endedDateTime) } : null,
    isRead: found.ok || isNotSold(found.error),
    offer: found.ok ? offerOnPage(found.offer) : null,
    idempotencyKey: randomUUID(),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await enter(args, handle);
  const form = await readOwnForm(visit, args.request, registrationForm, offerForm);
  const checked = await checkOffer(visit, shownOffer(form));
  if (visit.session.claims() && form.get("intent") === "pay") {
    return goOn(visit, parseForm(form, continuation), checked);
  }
  if (form.get("intent") === "restart") return restart(visit, parseForm(form, continuation));
  const submission = parseForm(form, registrationForm);
  if (submission.status !== "success" || checked.kind === "changed") {
    return refuseOrder(visit, submission, checked, { journey: "registration" });
  }
  // An offer that cannot be read keeps nobody from an account: the way to the bank tells of it.
  const order = checked.kind === "same" ? checked.order : { formula: config().defaultFormula };
  const opened = await openAccount(visit, submission.value, order);
  if (opened.ok) return goOn(visit, submission, checked);
  const { errors, created } = opened;
  return refuseOrder(visit, submission, checked, {
    journey: "registration",
    errors,
    more: { created },
  });
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function RegistrationPage() {
  const { left, isRead, ...loaded } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply & Refreshed>();
  const member = reply?.member ?? loaded.member;
  const offer = reply?.offer ?? loaded.offer;
  const t = useT("registration");
  return (
    <div className="container page stack stack--l">
      <Steps current={member && !left ? "payment" : "account"} />
      {member ? (
        <PageHeading title={t(left ? "left.heading" : "member.heading")} />
      ) : (
        <PageHeading title={t("heading")} lead={t("lead")} />
      )}
      <div className="split">
        {member && left ? (
          <RestartForm email={member} date={left.date} reply={reply} />
        ) : member ? (
          <MemberForm email={member} reply={reply} offer={offer?.values} />
        ) : (
          <RegistrationForm
            reply={reply}
            offer={offer?.values}
            idempotencyKey={reply?.idempotencyKey ?? loaded.idempotencyKey}
          />
        )}
        {!isRead && !offer && <Unread text={t("unread")} />}
        {offer && <PriceBox {...offer.words} title={t("offer")} trust={t("trust")} />}
      </div>
    </div>
  );
}

/**
 * Deletes the account of a subscription that is over, so that its address may register anew;
 * whatever was left running is never lost by this button.
 */
async function restart<T>(visit: Visit, submission: Submission<T, string[]>) {
  if (submission.status === "error") return refuse(visit, submission);
  const { pathname } = visit.url;
  const uid = visit.session.claims()?.uid;
  if (!uid || (await leftSubscription(visit)).kind !== "found")
    return visit.redirect(pathname, { status: 303 });
  const outcome = await visit.attempt("deleteUser", { params: { uid } });
  if (!outcome.ok) return refuse(visit, submission, failureErrors("deletion", outcome.error));
  visit.session.clear();
  visit.session.flash({ type: "success", key: "addressReleased" });
  return visit.redirect(pathname, { status: 303 });
}

/** The cashback variant lives at its own address and pays at the site's card form. */
function isWelcome({ url }: Visit) {
  return url.pathname === paths.welcome();
}

function goOn<T>(visit: Visit, submission: Submission<T, string[]>, checked: CheckedOffer) {
  if (!visit.session.data.cashback || checked.kind !== "same") {
    return goToBank(visit, submission, checked);
  }
  // Another tab may have brought another partner's token into the session.
  const { trafficToken: uniqueToken } = checked.order;
  if (uniqueToken) visit.session.set({ uniqueToken });
  return visit.redirect(paths.registrationPayment(), { status: 303 });
}
