import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findOfferOrCurrent, isNotSold, refusedChanges, type Change } from "~/api/offer.server";
import {
  canCorrectEmail,
  paymentInTheWay,
  createPaymentLink,
  findPaymentState,
  noteRegistration,
  type LastPaymentState,
} from "~/api/payment.server";
import { listsPayments } from "~/api/contract-payments.server";
import { FAILED, found, mapResult, NONE, type ReadResult } from "~/api/read-result";
import { findEndedContract, findSubscription } from "~/api/subscription.server";
import type { Subscription } from "~/contract/subscriptions";
import { findPageInstead } from "~/forms/nothing-to-pay.server";
import {
  checkShownOffer,
  needsAgreement,
  offerForm,
  toOfferOnPage,
  readShownOffer,
} from "~/forms/offer.server";
import { isForeign, readOwnForm } from "~/forms/read.server";
import { refuseButton, refuseForeign } from "~/forms/refuse.server";
import { pageMeta, refreshMeta } from "~/i18n/meta";
import { formatAmount } from "~/i18n/format";
import { translate } from "~/i18n/i18n.server";
import { creditWords } from "~/i18n/order-words.server";
import { isCreditAhead, subscriptionWords } from "~/i18n/subscription-words.server";
import { paths, serverPaths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { needsConsent } from "~/session/preferences.server";
import { openVisit, type Visit } from "~/session/visit.server";
import {
  Failure,
  NoPayment,
  Success,
  Unbought,
  UnreadResult,
  type PaidFacts,
  type RenewalWords,
  type RetriedOffer,
} from "./results";
import { toShownResult, titleKeys } from "./shown-result.server";

export const meta: MetaFunction = (args) => [...pageMeta(args), ...refreshMeta(args)];

export const handle = declarePage({ indexed: false, breadcrumb: false, personal: true });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const { result } = args.params;
  if (result !== "success" && result !== "failure") {
    return visit.throwNotFound();
  }
  const state = await findPaymentState(visit);
  await leaveEnded(visit);
  if (state.kind === "pending") throw await visit.redirect(serverPaths.paymentCallback());
  if (state.kind === "delayed") throw await visit.redirect(paths.accountSubscription());
  if (state.kind === "over" || state.kind === "lost")
    throw await visit.redirect(paths.registration());
  if (state.kind === "unknown") throw await visit.redirect(paths.login(visit.url.pathname));
  const shown = toShownResult(result, state);
  const unread = shown.kind === "unread" && visit.markUnread(visit.t("payment", "unread.text"));
  const isOpened = shown.kind === "success" || shown.kind === "free";
  if (needsConsent()) noteRegistration(visit, state);
  const vip = visit.session.hasRole("vip");
  const offer = await findOfferToRetry(visit, state);
  // Somebody with access is sold nothing but the due period of their contract.
  const mayOrder = offer.kind !== "found" || !vip || offer.value.isRenewal;
  // Of a debit that goes back only this page tells at once.
  if (!mayOrder && state.kind !== "late") throw await visit.redirect(paths.account());
  const subscription = isOpened ? await findSubscription(visit) : NONE;
  const credit = mapResult(subscription, creditAhead);
  const isRenewal = state.kind === "success" && state.isLaterPeriod === true;
  return {
    page: visit.describePage({ title: visit.t("payment", titleKeys[shown.kind]) }),
    shown,
    unread,
    vip,
    waits: shown.kind === "unread" || (isOpened && !vip),
    returnTo: visit.session.data.returnTo ?? null,
    order: mayOrder && "order" in state ? state.order : null,
    offer: mayOrder && offer.kind === "found" ? offer.value : null,
    isOfferUnread: offer.kind === "failed",
    correctableEmail: (await canCorrectEmail(visit, state))
      ? (visit.session.claims()?.identifier ?? null)
      : null,
    credit: credit.kind === "found" ? credit.value : null,
    isCreditUnread: credit.kind === "failed",
    renewal: isRenewal ? renewalWords(subscription) : null,
    facts: state.kind === "success" ? await paidFacts(visit, state, subscription) : null,
  };
}

/** Retries the payment that the page showed: opens a new page at the bank for the same account. */
export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request, offerForm);
  if (isForeign(form)) return refuseForeign(visit);
  if (!visit.session.claims()) return visit.throwToLogin();
  const checked = await checkShownOffer(visit, form);
  const instead = await findPageInstead(visit, form, checked);
  if (instead) return visit.redirect(instead, { status: 303 });
  const { trafficToken } = readShownOffer(form);
  if (checked.kind === "changed") return redirectToNewOffer(visit, checked.changes, trafficToken);
  if (checked.kind === "failed") return refuseButton(visit, checked.error, "paymentLink");
  if (needsAgreement(visit, checked)) return leadToForm(visit, checked.order.trafficToken);
  const link = await createPaymentLink(visit, checked);
  if (link.ok) return visit.redirect(link.url, { status: 303 });
  const changes = refusedChanges(link.error);
  if (changes.length > 0) return redirectToNewOffer(visit, changes, trafficToken);
  if (link.error.kind === "unauthorized") return visit.throwToLogin();
  const decided = link.error.kind === "conflict" ? await paymentInTheWay(visit) : null;
  if (decided) return visit.redirect(decided, { status: 303 });
  return refuseButton(visit, link.error, "paymentLink");
}

export default function RegistrationResultPage() {
  const { shown, unread, order, offer, isOfferUnread, correctableEmail, ...opened } =
    useLoaderData<typeof loader>();
  const retry = { order, offer, isOfferUnread, correctableEmail };
  if (shown.kind === "success" || shown.kind === "free")
    return <Success {...opened} isFree={shown.kind === "free"} />;
  return (
    <div className="container page page--narrow stack stack--l">
      {shown.kind === "failure" && <Failure text={shown.text} {...retry} />}
      {(shown.kind === "left" || shown.kind === "late") && (
        <Unbought kind={shown.kind} text={shown.text} {...retry} />
      )}
      {shown.kind === "none" && <NoPayment />}
      {unread && <UnreadResult text={unread} />}
    </div>
  );
}

/** An account whose contract is over for good cannot pay: only a new registration can. */
async function leaveEnded(visit: Visit) {
  const ended = await findEndedContract(visit);
  if (ended.kind === "found") throw await visit.redirect(paths.registration(), { status: 303 });
}

/** The present offer for a payment that failed or was left. */
async function findOfferToRetry(
  visit: Visit,
  state: LastPaymentState,
): Promise<ReadResult<RetriedOffer>> {
  if (!("order" in state)) return NONE;
  const result = await findOfferOrCurrent(visit, state.order);
  if (result.ok) {
    const { values, ...offer } = toOfferOnPage(visit, result.offer);
    const { affiliation: _, ...unaffiliated } = values;
    const isOther = result.isReplaced && !offer.isRenewal;
    return found({
      ...offer,
      // Another tab has opened another partner's link since. The account's own partner counts then.
      values: isOfSession(visit, state.order) ? values : unaffiliated,
      replaces: isOther ? ownerOf(state.order) : null,
    });
  }
  return isNotSold(result.error) ? NONE : FAILED;
}

const isOfSession = ({ session }: Visit, { trafficToken }: { trafficToken?: string }) =>
  session.data.uniqueToken === trafficToken;

const ownerOf = ({ trafficToken }: { trafficToken?: string }) =>
  trafficToken === undefined ? "own" : "partners";

/**
 * The cashback of the subscription in words. Null without one, and once nothing is to be paid any more: the page
 * is also that of later periods, and can be opened again.
 */
function creditAhead({ credits, credit }: Subscription): string | null {
  const isAhead = credit === undefined || isCreditAhead(credit);
  return credits && isAhead ? creditWords(credits, credit) : null;
}

async function paidFacts(
  visit: Visit,
  { amount }: Extract<LastPaymentState, { kind: "success" }>,
  read: ReadResult<Subscription>,
): Promise<PaidFacts> {
  const email = visit.session.claims()?.identifier ?? null;
  return {
    paid: amount ? formatAmount(amount) : null,
    receiptTo: (await listsPayments(visit)) ? email : null,
    next: read.kind === "found" ? subscriptionWords(read.value).next : null,
  };
}

/** What a paid later period changes. Its moments stay out where they could not be read. */
function renewalWords(read: ReadResult<Subscription>): RenewalWords {
  if (read.kind !== "found")
    return { text: translate("payment", "success.renewal.unread"), next: null };
  const { accessEnd: date, next } = subscriptionWords(read.value);
  return {
    text: translate("payment", "success.renewal.text", { date }),
    next: next && translate("payment", "success.renewal.next", { next }),
  };
}

/**
 * Shows the page again, with the new price and a notice; it has no typed values to keep. New terms are
 * shown by the form that can ask for them.
 */
async function redirectToNewOffer(visit: Visit, changes: readonly Change[], trafficToken?: string) {
  // The offer also changes when the person has paid in another tab.
  const decided = await paymentInTheWay(visit);
  if (decided) return visit.redirect(decided, { status: 303 });
  const key = changes.includes("offer") ? "offerChanged" : "termsChanged";
  visit.session.flash({ type: "warning", key });
  if (changes.includes("terms")) return leadToForm(visit, trafficToken);
  return visit.redirect(visit.url.pathname, { status: 303 });
}

/** Leads to the form that asks for the tick, with the partner of the payment. */
function leadToForm(visit: Visit, uniqueToken: string | undefined) {
  visit.session.set({ uniqueToken });
  return visit.redirect(paths.registrationPayment(), { status: 303 });
}
