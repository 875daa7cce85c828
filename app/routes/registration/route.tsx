import type { Submission } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import {
  findChangedOffer,
  findCurrentOffer,
  isNotSold,
  withAcceptedTerms,
  type CheckedOffer,
  type Order,
} from "~/api/offer.server";
import {
  canCorrectEmail,
  findDebitAfterEnd,
  findPaymentState,
  isHistoryUnread,
  isOrdered,
  type DebitAfterEnd,
  type LastPaymentState,
} from "~/api/payment.server";
import { listsPayments } from "~/api/contract-payments.server";
import type { ReadResult } from "~/api/read-result";
import { findClosedContract, isEnded, onlyEnded } from "~/api/subscription.server";
import { config } from "~/config.server";
import { goToBank } from "~/forms/go-to-bank.server";
import { findPageInstead } from "~/forms/nothing-to-pay.server";
import {
  checkShownOffer,
  needsAgreement,
  offerForm,
  toOfferOnPage,
  refuseOrder,
  readShownOffer,
  withAgreement,
  type OfferOnPage,
} from "~/forms/offer.server";
import { openAccount } from "~/forms/open-account.server";
import { isForeign, parseForm, readOwnForm } from "~/forms/read.server";
import { refuseForeign, type FormReply } from "~/forms/refuse.server";
import { useAnswer } from "~/forms/unsent";
import { deletionWords } from "~/i18n/deletion-words.server";
import { pageMeta } from "~/i18n/meta";
import { debitAfterEnd, holdWords, subscriptionWords } from "~/i18n/subscription-words.server";
import { undoableWords } from "~/i18n/undo-words.server";
import { withdrawableWords } from "~/i18n/withdrawal-words.server";
import { useT } from "~/i18n/use-t";
import { paths, serverPaths } from "~/paths";
import { formKeyOf } from "~/session/form-key.server";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import { FUNNEL_PARAMETERS } from "~/session/funnel-parameters";
import { rememberFunnel } from "~/session/funnel.server";
import { formatDate } from "~/i18n/format";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { PartnerOffer } from "~/ui/partner-offer";
import { Steps } from "~/ui/steps";
import { PriceBox } from "~/ui/price-box";
import { Unread } from "~/ui/unread";
import { Withdrawable } from "~/ui/withdrawable";
import { SignedInForm, RegistrationForm, RestartForm } from "./fields";
import { emptyForm, registrationForm, restartForm } from "./form";
import { correctEmail, deleteEndedAccount, type RestartReply } from "./restart.server";

/** Loader data that a refused post may have changed. */
type Refreshed = { accountEmail?: string | null; offer?: OfferOnPage | null };

export const meta = pageMeta;

export const handle = declarePage({
  layout: "funnel",
  hydrate: "whenTouched",
  i18n: ["registration"],
  shared: FUNNEL_PARAMETERS,
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  rememberFunnel(visit, { cashback: isWelcome(visit) });
  if (await isSubscriber(visit)) throw await visit.redirect(paths.account());
  // An order beside it would be dropped.
  const payment = await findPaymentState(visit);
  const debit = await findDebitAfterEnd(visit, payment);
  // The account of a stopped contract orders nothing more: another one can at once.
  const isLeaving = debit.kind === "found" && isEnded(debit.value.subscription);
  if (isOrdered(visit, payment) && !isLeaving)
    throw await visit.redirect(serverPaths.paymentCallback());
  const contract = await findClosedContract(visit);
  const endedContract = onlyEnded(contract);
  const read = await findCurrentOffer(visit);
  const offer = read.ok ? toOfferOnPage(visit, read.offer) : null;
  const isUnread = !read.ok && !isNotSold(read.error);
  const unread = isUnread && visit.markUnread(visit.t("registration", "unread"));
  // Without a partner's token this address shows the usual offer.
  const title = isWelcome(visit) && offer?.isPartners ? "welcome.title" : "title";
  return {
    page: visit.describePage({
      title: visit.t("registration", title),
      description: visit.t("registration", "description"),
    }),
    accountEmail: visit.session.claims()?.identifier ?? null,
    ended:
      endedContract.kind === "found"
        ? {
            date: formatDate(endedContract.value.endedDateTime),
            undoable: undoableWords(endedContract.value.subscription),
            debit: debitWords(visit, payment, debit),
            credit: subscriptionWords(endedContract.value.subscription).credit?.onDeletion ?? null,
            hasPayments: await listsPayments(visit),
          }
        : null,
    onHold: contract.kind === "found" ? holdWords(contract.value) : null,
    withdrawable: contract.kind === "found" ? withdrawableWords(contract.value) : null,
    deletion: visit.session.claims() && deletionWords(),
    isHistoryUnread: isHistoryUnread(visit, payment, endedContract),
    lostOrder: payment.kind === "lost" ? visit.t("payment", "lost") : null,
    isCorrectable: await canCorrectEmail(visit, payment),
    unread,
    offer,
    isPartnerGone: read.isPartnerGone,
    leadsToBank: leadsToBank(visit, offer?.values),
    idempotencyKey: formKeyOf(args.context),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request, registrationForm, offerForm, restartForm);
  if (form.get("intent") === "restart")
    return deleteEndedAccount(visit, parseForm(form, restartForm));
  if (form.get("intent") === "correct") {
    return isForeign(form) ? refuseForeign(visit) : correctEmail(visit, args.request);
  }
  const checked = await checkShownOffer(visit, form);
  if (visit.session.claims() && form.get("intent") === "pay") {
    const instead = await findPageInstead(visit, form, checked);
    if (instead) return visit.redirect(instead, { status: 303 });
    const isNeeded = ordersAtBank(visit, checked) && needsAgreement(visit, checked);
    return continueToPayment(visit, parseForm(form, withAgreement(emptyForm, isNeeded)), checked);
  }
  const submission = parseForm(form, registrationForm);
  if (submission.status !== "success" || checked.kind === "changed") {
    return refuseOrder(visit, submission, checked, { journey: "registration" });
  }
  const order = checked.kind === "same" ? checked.order : orderAsShown(form);
  const opened = await openAccount(visit, submission.value, order);
  if (opened.ok) {
    const accepted = checked.kind === "same" ? withAcceptedTerms(checked) : checked;
    return continueToPayment(visit, submission, accepted);
  }
  const { errors, created, changes } = opened;
  const present = changes ? await findChangedOffer(visit, order, changes) : checked;
  return refuseOrder(visit, submission, present, {
    journey: "registration",
    errors,
    more: { created },
  });
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function RegistrationPage() {
  const { ended, onHold, withdrawable, deletion, ...loaded } = useLoaderData<typeof loader>();
  const { isHistoryUnread, lostOrder, isCorrectable, isPartnerGone, leadsToBank } = loaded;
  const reply = useAnswer<FormReply & Refreshed & RestartReply>();
  const accountEmail = reply?.accountEmail ?? loaded.accountEmail;
  // Null where nothing replaces what the page showed.
  const offer = reply?.offer === undefined ? loaded.offer : reply.offer;
  const t = useT("registration");
  const ui = useT("ui");
  const isRestart = ended !== null || reply?.isRestart === true;
  const memberHeading = isHistoryUnread ? t("offer") : t("member.heading");
  const unreadText = !offer && loaded.unread;
  const unread = unreadText && <Unread text={unreadText} />;
  return (
    <div className="container page stack stack--l">
      <Steps current={accountEmail && !isRestart ? "payment" : "account"} />
      {accountEmail ? (
        <PageHeading title={isRestart ? t("left.heading") : memberHeading} />
      ) : (
        <PageHeading title={t("heading")} lead={t("lead")} />
      )}
      {isHistoryUnread && !isRestart && <Unread text={ui("unread.order")} />}
      {lostOrder && !isRestart && !reply && (
        <Notice tone="warning" live>
          {lostOrder}
        </Notice>
      )}
      {onHold && <Notice tone="warning">{onHold}</Notice>}
      {withdrawable && <Withdrawable words={withdrawable} isDeleting={isRestart} />}
      {isPartnerGone && !isRestart && <Notice tone="warning">{t("partnerGone")}</Notice>}
      {offer?.isPartners && !isRestart && <PartnerOffer />}
      {accountEmail && isRestart ? (
        <div className="split">
          <RestartForm
            isLost={reply?.lost === true}
            email={accountEmail}
            ended={ended}
            deletion={deletion}
            reply={reply}
          />
          {unread}
          {offer && (
            <div className="stack">
              {offer.isPartners && <PartnerOffer />}
              <PriceBox {...offer.words} title={t("offer")} trust={t("trust")} />
            </div>
          )}
        </div>
      ) : accountEmail ? (
        <SignedInForm
          email={accountEmail}
          reply={reply}
          offer={offer}
          unread={unread}
          isHistoryUnread={isHistoryUnread}
          isCorrectable={isCorrectable}
          orders={leadsToBank}
        />
      ) : (
        <RegistrationForm
          reply={reply}
          offer={offer}
          // The form has a button that reads the offer again.
          unread={unreadText && <Unread text={unreadText} retry={null} />}
          idempotencyKey={reply?.idempotencyKey ?? loaded.idempotencyKey}
        />
      )}
    </div>
  );
}

/**
 * The order of a form whose offer cannot be read: the account is created all the same, with what its page
 * showed, and the payment step shows the failure. Sent again, it is the same registration.
 */
function orderAsShown(form: FormData): Order {
  const { statement: _, formula = config().defaultFormula, ...shown } = readShownOffer(form);
  return { formula, ...shown };
}

/** What becomes of a debit that outlived its contract. Null without one. */
function debitWords(
  visit: Visit,
  { kind }: LastPaymentState,
  undecided: ReadResult<DebitAfterEnd>,
): string | null {
  if (undecided.kind === "found") {
    const { amount, subscription } = undecided.value;
    return debitAfterEnd(amount, subscription);
  }
  return kind === "late" ? visit.t("login", "why.late") : null;
}

/** The session may have been opened before the subscription ended: the API's answer renews its roles. */
async function isSubscriber(visit: Visit) {
  if (visit.session.hasRole("vip")) await visit.signedIn();
  return visit.session.hasRole("vip");
}

/**
 * Whether this is the cashback variant. It has its own address and pays by the site's card form
 * (R-4.6).
 */
function isWelcome({ url }: Visit) {
  return url.pathname === serverPaths.welcome();
}

/**
 * Whether the form of this offer orders. With a partner's token the cashback variant leads to the card form,
 * which orders.
 */
const leadsToBank = ({ session }: Visit, offer: { trafficToken?: string } | undefined) =>
  !session.data.cashback || offer?.trafficToken === undefined;

/** The same of a posted form: its own offer counts, not the one that another tab may have opened. */
const ordersAtBank = (visit: Visit, checked: CheckedOffer) =>
  checked.kind !== "same" || leadsToBank(visit, checked.order);

function continueToPayment<T>(
  visit: Visit,
  submission: Submission<T, string[]>,
  checked: CheckedOffer,
) {
  if (checked.kind !== "same" || leadsToBank(visit, checked.order)) {
    return goToBank(visit, submission, checked);
  }
  // Another tab may have stored another token in the session.
  visit.session.set({ uniqueToken: checked.order.trafficToken });
  return visit.redirect(paths.registrationPayment(), { status: 303 });
}
