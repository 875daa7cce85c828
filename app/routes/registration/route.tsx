import { randomUUID } from "node:crypto";
import type { Submission } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { checkOffer, findCurrentOffer, isNotSold, type CheckedOffer } from "~/api/offer.server";
import { findEndedContract } from "~/api/subscription.server";
import { config } from "~/config.server";
import { failureErrors } from "~/forms/failures.server";
import { goToBank } from "~/forms/go-to-bank.server";
import {
  offerForm,
  toOfferOnPage,
  refuseOrder,
  readShownOffer,
  type OfferOnPage,
} from "~/forms/offer.server";
import { openAccount } from "~/forms/open-account.server";
import { parseForm, readOwnForm } from "~/forms/read.server";
import { refuse, type FormReply } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import { rememberFunnel } from "~/session/funnel.server";
import { formatDate } from "~/ui/format";
import { PageHeading } from "~/ui/page-heading";
import { PriceBox } from "~/ui/price-box";
import { Steps } from "~/ui/steps";
import { Unread } from "~/ui/unread";
import { SignedInForm, RegistrationForm, RestartForm } from "./fields";
import { emptyForm, registrationForm } from "./form";

/** Loader data that a refused post may have changed. */
type Refreshed = { accountEmail?: string | null; offer?: OfferOnPage | null };

export const meta = pageMeta;

export const handle = declarePage({ hydrate: true, i18n: ["registration"] });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  rememberFunnel(visit, { cashback: isWelcome(visit) });
  if (visit.session.hasRole("vip")) throw await visit.redirect(paths.account());
  const endedContract = await findEndedContract(visit);
  const read = await findCurrentOffer(visit);
  return {
    page: visit.describePage({
      title: visit.t("registration", isWelcome(visit) ? "welcome.title" : "title"),
      description: visit.t("registration", "description"),
    }),
    accountEmail: visit.session.claims()?.identifier ?? null,
    ended:
      endedContract.kind === "found"
        ? { date: formatDate(endedContract.value.endedDateTime) }
        : null,
    isRead: read.ok || isNotSold(read.error),
    offer: read.ok ? toOfferOnPage(read.offer) : null,
    idempotencyKey: randomUUID(),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request, registrationForm, offerForm);
  const checked = await checkOffer(visit, readShownOffer(form));
  if (visit.session.claims() && form.get("intent") === "pay") {
    return continueToPayment(visit, parseForm(form, emptyForm), checked);
  }
  if (form.get("intent") === "restart")
    return deleteEndedAccount(visit, parseForm(form, emptyForm));
  const submission = parseForm(form, registrationForm);
  if (submission.status !== "success" || checked.kind === "changed") {
    return refuseOrder(visit, submission, checked, { journey: "registration" });
  }
  // If the offer cannot be read, the account is created all the same. The payment step shows the
  // failure.
  const order = checked.kind === "same" ? checked.order : { formula: config().defaultFormula };
  const opened = await openAccount(visit, submission.value, order);
  if (opened.ok) return continueToPayment(visit, submission, checked);
  const { errors, created } = opened;
  return refuseOrder(visit, submission, checked, {
    journey: "registration",
    errors,
    more: { created },
  });
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function RegistrationPage() {
  const { ended, isRead, ...loaded } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply & Refreshed>();
  const accountEmail = reply?.accountEmail ?? loaded.accountEmail;
  const offer = reply?.offer ?? loaded.offer;
  const t = useT("registration");
  return (
    <div className="container page stack stack--l">
      <Steps current={accountEmail && !ended ? "payment" : "account"} />
      {accountEmail ? (
        <PageHeading title={t(ended ? "left.heading" : "member.heading")} />
      ) : (
        <PageHeading title={t("heading")} lead={t("lead")} />
      )}
      <div className="split">
        {accountEmail && ended ? (
          <RestartForm email={accountEmail} date={ended.date} reply={reply} />
        ) : accountEmail ? (
          <SignedInForm email={accountEmail} reply={reply} offer={offer?.values} />
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
 * Deletes an account whose subscription has ended, so that its e-mail can register again. An
 * account with a running contract is never deleted here.
 */
async function deleteEndedAccount<T>(visit: Visit, submission: Submission<T, string[]>) {
  if (submission.status === "error") return refuse(visit, submission);
  const { pathname } = visit.url;
  const uid = visit.session.claims()?.uid;
  if (!uid || (await findEndedContract(visit)).kind !== "found")
    return visit.redirect(pathname, { status: 303 });
  const outcome = await visit.attempt("deleteUser", { params: { uid } });
  if (!outcome.ok) return refuse(visit, submission, failureErrors("deletion", outcome.error));
  visit.session.clear();
  visit.session.flash({ type: "success", key: "addressReleased" });
  return visit.redirect(pathname, { status: 303 });
}

/**
 * Whether this is the cashback variant. It has its own address and pays by the site's card form
 * (R-4.6).
 */
function isWelcome({ url }: Visit) {
  return url.pathname === paths.welcome();
}

function continueToPayment<T>(
  visit: Visit,
  submission: Submission<T, string[]>,
  checked: CheckedOffer,
) {
  if (!visit.session.data.cashback || checked.kind !== "same") {
    return goToBank(visit, submission, checked);
  }
  // Another tab may have stored another token in the session. The shown one counts.
  const { trafficToken: uniqueToken } = checked.order;
  if (uniqueToken) visit.session.set({ uniqueToken });
  return visit.redirect(paths.registrationPayment(), { status: 303 });
}
