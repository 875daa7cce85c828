import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findConsent } from "~/api/consent.server";
import { brokenStatus, type Failure } from "~/api/errors";
import { mapResult, NONE, type ReadResult } from "~/api/read-result";
import { findPaymentState } from "~/api/payment.server";
import { findSubscription } from "~/api/subscription.server";
import type { Subscription } from "~/contract/subscriptions";
import { failureErrors } from "~/forms/failures.server";
import { parseForm, readOwnForm } from "~/forms/read.server";
import { refuse, type FormReply } from "~/forms/refuse.server";
import { useAnswer } from "~/forms/unsent";
import { pageMeta } from "~/i18n/meta";
import { contractLinkWords } from "~/i18n/contract-words.server";
import { subscriptionWords } from "~/i18n/subscription-words.server";
import { refundsOnDeletion } from "~/i18n/rest-words.server";
import { undoableWords } from "~/i18n/undo-words.server";
import { useT } from "~/i18n/use-t";
import { ServerPart } from "~/layout/server-part";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { consentErrors } from "~/support/consent.server";
import { openVisit, type Visit } from "~/session/visit.server";
import { formatDate, lastDayBefore } from "~/i18n/format";
import { ContractLink } from "~/ui/contract-link";
import { PageHeading } from "~/ui/page-heading";
import { Undoable } from "~/ui/undoable";
import { Unread } from "~/ui/unread";
import { Deletion } from "./deletion";
import { Download } from "./download";
import { Consent } from "./consent";
import { deletionForm, erasureForm, takeBackForm } from "./form";
import { OpenWithdrawal, Withdrawal } from "./withdrawal";

export const meta = pageMeta;

/** Open to every account: these rights need no subscription. */
export const handle = declarePage({
  secured: true,
  hydrate: "whenTouched",
  i18n: ["data", "subscription"],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const [subscribed, consent, payment] = await Promise.all([
    findSubscription(visit),
    findConsent(visit),
    findPaymentState(visit),
  ]);
  // The page of the subscription shows it to subscribers.
  const isSubscriber = visit.session.hasRole("vip");
  const [proof, payments] = isSubscriber
    ? [NONE, NONE]
    : await Promise.all([
        visit.find("getContractProof", { query: {} }),
        visit.find("listPayments", { query: { length: 1 } }),
      ]);
  const deleted = mapResult(subscribed, (subscription) => {
    const words = subscriptionWords(subscription);
    const { state, until, accessEnd, credit } = words;
    const { withdrawal } = subscription;
    return {
      // An open withdrawal ends the access on the day of its refund.
      accessEnd: state === "ended" ? null : state === "withdrawn" ? until : accessEnd,
      refund: withdrawal ? formatDate(withdrawal.refundDateTime) : null,
      /** Whether the page of the subscription has its stop form. */
      canStop: words.isStoppable,
      refunds: refundsOnDeletion(subscription),
      credit: credit?.onDeletion ?? null,
      creditOnWithdrawal: credit?.onWithdrawal ?? null,
    };
  });
  return {
    page: visit.describePage({ title: visit.t("data", "title") }),
    email: visit.session.claims()?.identifier ?? "",
    /** The end of the paid access, which the deletion would take away, and what becomes of the credit. */
    deleted,
    isWithdrawing: mapResult(subscribed, ({ withdrawal }) => withdrawal !== undefined),
    undoable: mapResult(subscribed, undoableWords),
    withdrawableUntil: mapResult(subscribed, withdrawalDay),
    payment: payment.kind,
    isSubscriber,
    isCoach: visit.session.hasRole("coach"),
    hadContract: subscribed.kind === "found",
    contract: mapResult(proof, ({ payload }) => contractLinkWords(payload)),
    /** Subscribers find theirs on the page of the subscription. */
    hasPayments: mapResult(payments, ({ payload }) => payload.length > 0),
    consent: mapResult(consent, ({ givenAt, discussions }) => ({
      givenAt: givenAt && formatDate(givenAt),
      discussions,
    })),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request, deletionForm, takeBackForm, erasureForm);
  const intent = form.get("intent");
  if (intent === "take-back") return takeBack(visit, form, takeBackForm);
  if (intent === "erase") return takeBack(visit, form, erasureForm);
  const submission = parseForm(form, deletionForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const uid = visit.session.claims()?.uid ?? "";
  const lost = submission.value.lost !== undefined;
  // An earlier post, lost or pressed twice, may have deleted the account, so signing in could not work.
  visit.answerInPlace();
  const outcome = await visit.attempt("deleteUser", { params: { uid } });
  if (!outcome.ok && isGone(outcome.error, lost)) {
    visit.session.clear();
    visit.session.flash({ type: "info", key: "accountGone" });
    return visit.redirect(paths.home(), { status: 303 });
  }
  if (!outcome.ok) {
    const isLost = brokenStatus(outcome.error) !== null;
    const errors = failureErrors("deletion", outcome.error);
    return refuse(visit, submission, errors, { lost: isLost || lost });
  }
  visit.session.clear();
  visit.session.flash({ type: "success", key: "accountDeleted" });
  return visit.redirect(paths.home(), { status: 303 });
}

/**
 * Takes the consent to the handling of sensitive information back, or erases what was kept then; what
 * follows stands on the page.
 */
async function takeBack(
  visit: Visit,
  form: FormData,
  schema: typeof takeBackForm | typeof erasureForm,
) {
  const submission = parseForm(form, schema);
  if (submission.status !== "success") return refuse(visit, submission, {}, CONSENT);
  const uid = visit.session.claims()?.uid ?? "";
  const erases = submission.value.erase === "on";
  const outcome = await visit.attempt("takeBackSensitiveConsent", {
    params: { uid },
    query: { discussions: erases ? "erase" : "close" },
  });
  const isLost = !outcome.ok && brokenStatus(outcome.error) !== null;
  if (!outcome.ok && !(isLost && (await isCarriedOut(visit, erases)))) {
    return refuse(visit, submission, consentErrors(outcome.error), CONSENT);
  }
  const erased = schema === erasureForm ? "discussionsErased" : "consentErased";
  visit.session.flash({ type: "success", key: erases ? erased : "consentTakenBack" });
  return visit.redirect(paths.accountData(), { status: 303 });
}

/** Whether a call whose answer was lost did its work all the same. */
async function isCarriedOut(visit: Visit, erases: boolean) {
  const read = await findConsent(visit);
  if (read.kind !== "found") return false;
  const { givenAt, discussions } = read.value;
  return givenAt === null && (!erases || discussions === 0);
}

/** Names the form that an answer is for: the page has two. */
const CONSENT = { form: "consent" } as const;

/** The last day on which the contract can be withdrawn from. */
function withdrawalDay({ withdrawableUntilDateTime: until }: Subscription) {
  return until ? lastDayBefore(until) : null;
}

/** Whether the account may be gone. An API that lacks the call answers as for an account that is unknown. */
const isGone = ({ kind }: Failure, lost: boolean) =>
  kind === "unauthorized" || (lost && kind === "notFound");

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function AccountDataPage() {
  const { email, deleted, withdrawableUntil, consent, ...loaded } = useLoaderData<typeof loader>();
  const { isSubscriber, hadContract, contract, hasPayments, isWithdrawing, undoable } = loaded;
  const reply = useAnswer<FormReply & { lost?: boolean; form?: "consent" }>();
  const isOfConsent = reply?.form === "consent";
  const creditOnWithdrawal = deleted.kind === "found" ? deleted.value.creditOnWithdrawal : null;
  const t = useT("data");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("title")} lead={t("lead", { email })} />
      <Download />
      {withdrawableUntil.kind === "found" && withdrawableUntil.value && (
        <Withdrawal until={withdrawableUntil.value} credit={creditOnWithdrawal} />
      )}
      {isWithdrawing.kind === "found" && isWithdrawing.value && (
        <OpenWithdrawal credit={creditOnWithdrawal} />
      )}
      {undoable.kind === "found" && undoable.value && (
        <Undoable words={undoable.value} isDeleting />
      )}
      {!isSubscriber && (hadContract || contract.kind !== "none") && (
        <ContractLink
          contract={contract.kind === "found" ? contract.value : null}
          isUnread={contract.kind === "failed"}
        />
      )}
      <ServerPart>{import.meta.env.SSR && <PaymentsLink has={hasPayments} />}</ServerPart>
      <Consent consent={consent} reply={isOfConsent ? reply : undefined} />
      <Deletion
        contract={deleted}
        payment={loaded.payment}
        isCoach={loaded.isCoach}
        reply={isOfConsent ? undefined : reply}
      />
    </div>
  );
}

/** The way to what was paid, for whoever has no page of a subscription. */
function PaymentsLink({ has }: { has: ReadResult<boolean> }) {
  const t = useT("payments");
  if (has.kind === "failed") return <Unread text={t("unread")} />;
  if (has.kind === "none" || !has.value) return null;
  return (
    <p>
      <a className="lone" href={paths.accountPayments()}>
        {t("all")}
      </a>
    </p>
  );
}
