import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { FAILED, found, NONE, type ReadResult } from "~/api/read-result";
import { findCurrentOffer, isNotSold } from "~/api/offer.server";
import {
  canCorrectEmail,
  findPaymentState,
  isHistoryUnread,
  isOrdered,
  type LastPaymentState,
} from "~/api/payment.server";
import { findClosedContract, onlyEnded, owesNothing } from "~/api/subscription.server";
import { config } from "~/config.server";
import type { Offer } from "~/contract/subscriptions";
import { offerForm, toOfferOnPage, type OfferOnPage } from "~/forms/offer.server";
import { readOwnForm } from "~/forms/read.server";
import type { FormReply } from "~/forms/refuse.server";
import { useAnswer } from "~/forms/unsent";
import { pageMeta } from "~/i18n/meta";
import { holdWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths, serverPaths } from "~/paths";
import { newFormKey } from "~/session/form-key.server";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import { funnelToken, rememberFunnel } from "~/session/funnel.server";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { PartnerOffer } from "~/ui/partner-offer";
import { Steps } from "~/ui/steps";
import { Unread } from "~/ui/unread";
import { CardPayment, LinkPayment } from "./fields";
import { newAccountCardForm } from "./form";
import { NoToken } from "./no-token";
import { submitCard, submitLink } from "./submit.server";

/** Loader data that a refused post may have changed. */
type Refreshed = { accountEmail: string | null; offer: OfferOnPage | null };

export const meta = pageMeta;

export const handle = declarePage({
  layout: "funnel",
  indexed: false,
  hydrate: "whenTouched",
  i18n: ["card"],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  rememberFunnel(visit, { cashback: false });
  const wasSignedIn = visit.session.claims() !== null;
  const contract = await findClosedContract(visit);
  const endedContract = onlyEnded(contract);
  if (endedContract.kind === "found") throw await visit.redirect(paths.registration());
  const payment = await findPaymentState(visit);
  const instead = await findPageInstead(visit, payment);
  if (instead) throw await visit.redirect(instead);
  const [read, bank] = await Promise.all([
    findOfferToPay(visit),
    visit.attempt("getBankingService", {}),
  ]);
  // The session was ended on another device. Without this check the page would ask for a partner's
  // link.
  if (wasSignedIn && !visit.session.claims()) return visit.throwToLogin();
  const unread = read.kind === "failed" && visit.markUnread(visit.t("card", "unread"));
  return {
    page: visit.describePage({ title: visit.t("card", "title") }),
    accountEmail: visit.session.claims()?.identifier ?? null,
    isCorrectable: await canCorrectEmail(visit, payment),
    cardForm: config().cardForm,
    onHold: contract.kind === "found" ? holdWords(contract.value) : null,
    isHistoryUnread: isHistoryUnread(visit, payment, endedContract),
    lostOrder: payment.kind === "lost" ? visit.t("payment", "lost") : null,
    unread,
    offer: read.kind === "found" ? toOfferOnPage(visit, read.value) : null,
    isPartnerOver: read.kind === "found" && isPartnerOver(visit, read.value),
    statementDescriptor: bank.ok ? bank.value.payload.name : null,
    idempotencyKey: newFormKey(),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request, newAccountCardForm, offerForm);
  const isLink = form.get("intent") === "link" || !config().cardForm;
  return isLink ? submitLink(visit, form) : submitCard(visit, form);
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function PaymentPage() {
  const {
    onHold,
    isHistoryUnread,
    lostOrder,
    unread,
    isCorrectable,
    cardForm,
    statementDescriptor,
    isPartnerOver,
    ...loaded
  } = useLoaderData<typeof loader>();
  const reply = useAnswer<FormReply & Partial<Refreshed>>();
  const t = useT("card");
  const ui = useT("ui");
  const accountEmail = reply?.accountEmail ?? loaded.accountEmail;
  // Null where nothing replaces what the page showed.
  const offer = reply?.offer === undefined ? loaded.offer : reply.offer;
  const idempotencyKey = reply?.idempotencyKey ?? loaded.idempotencyKey;
  // Without an account this page needs a partner's token. A form that was sent stays: what its page
  // showed is gone, and the usual offer takes its place.
  const isOffered = reply || (offer ? accountEmail || offer.values.trafficToken : unread);
  if (!isOffered) return <NoToken />;
  const shown = { offer, accountEmail, isCorrectable, isHistoryUnread, statementDescriptor };
  const hasForm = Boolean(offer || reply);
  // The form has a button that reads the page again.
  const retry = hasForm ? null : undefined;
  const lead = `${offer?.isRenewal ? "renewal." : ""}${cardForm ? "lead" : "leadLink"}` as const;
  const Payment = cardForm ? CardPayment : LinkPayment;
  return (
    <div className="container page stack stack--l">
      {!offer?.isRenewal && <Steps current={accountEmail ? "payment" : "account"} />}
      <PageHeading title={t("heading")} lead={t(lead)} />
      {isHistoryUnread && <Unread text={ui("unread.order")} retry={retry} />}
      {/* The answer to an order says itself what is known of it. */}
      {lostOrder && !reply && (
        <Notice tone="warning" live>
          {lostOrder}
        </Notice>
      )}
      {onHold && <Notice tone="warning">{onHold}</Notice>}
      {offer?.isPartners && <PartnerOffer />}
      {isPartnerOver && <Notice tone="warning">{t("partnerOver")}</Notice>}
      {!offer && unread && <Unread text={unread} retry={retry} />}
      {hasForm && <Payment {...shown} reply={reply} idempotencyKey={idempotencyKey} />}
    </div>
  );
}

/**
 * The page of somebody who has nothing to pay here: a second card would be dropped. An order is
 * told by its own page, even where nothing else is owed. A debit that the renewal asks for by itself is told
 * there only to whoever owes it: before the end of the paid period nobody waits for it.
 */
async function findPageInstead(visit: Visit, payment: LastPaymentState): Promise<string | null> {
  const result = isOrdered(visit, payment) ? serverPaths.paymentCallback() : null;
  if (result && !("isRenewal" in payment && payment.isRenewal)) return result;
  return (await owesNothing(visit)) ? paths.account() : result;
}

/**
 * The offer to pay. `none`: nothing is sold to this visitor. Subscribers can only pay a due
 * renewal.
 */
async function findOfferToPay(visit: Visit): Promise<ReadResult<Offer>> {
  const current = await findCurrentOffer(visit);
  if (!current.ok) return isNotSold(current.error) ? NONE : FAILED;
  if (visit.session.hasRole("vip") && !current.offer.due) {
    throw await visit.redirect(paths.account());
  }
  return found(current.offer);
}

/** Whether the usual offer replaces a partner's that is not sold any more. */
const isPartnerOver = ({ session }: Visit, { trafficToken, due }: Offer) =>
  due === null && trafficToken === undefined && funnelToken(session) !== undefined;
