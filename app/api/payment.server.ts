import { NO_PAYMENT_PROPERTY } from "~/contract/errors";
import type { Offer, Payment, PlatformCode, Subscription } from "~/contract/subscriptions";
import { serverPaths } from "~/paths";
import type { Visit } from "~/session/visit.server";
import { brokenStatus, type Failure } from "./errors";
import { FAILED, found, NONE, type ReadResult } from "./read-result";
import type { Purchase } from "./offer.server";
import { findSubscription } from "./subscription.server";
import { isUnknownCall } from "./unknown-call";

/** State of the visitor's last payment, read from the API. The address alone proves nothing. */
export type LastPaymentState =
  | { kind: "none" }
  /**
   * The state could not be read. The payment may have succeeded. `isUntold`: it was begun in this browser,
   * and the API has no call that tells what became of it.
   */
  | { kind: "failed"; isUntold?: true }
  /** An order of this session never reached the API: nothing was charged. */
  | { kind: "lost" }
  /** A payment was begun in this browser, but its session has ended. Signing in shows the state. */
  | { kind: "unknown" }
  /** The bank's page was opened, and nothing was paid on it yet. */
  | { kind: "unpaid"; order: TriedOrder }
  | { kind: "pending"; isRenewal: boolean; amount: number; date: string }
  /** A renewal for which the bank could not be asked yet. The account tells it. */
  | { kind: "delayed" }
  /**
   * `isFree`: a free trial was opened, and nothing paid. `isRenewal`: charged without the person. `isLaterPeriod`:
   * it opened no contract, as far as the API tells. `amount`: cents, where the API tells of the payment.
   */
  | {
      kind: "success";
      isFree: boolean;
      isRenewal: boolean;
      isLaterPeriod?: boolean | undefined;
      amount?: number;
      date: string;
    }
  /** The payment succeeded, but its subscription has ended since. */
  | { kind: "over" }
  | { kind: "failure"; code: string | undefined; order: TriedOrder }
  /** Paid after it had been given up: it was debited, and goes back. */
  | { kind: "late"; order: TriedOrder };

/** The formula that the payment was made for. */
type TriedOrder = { formula: string; trafficToken?: string };

export async function findPaymentState(visit: Visit): Promise<LastPaymentState> {
  const { session } = visit;
  const isKnown = session.claims() !== null;
  const state = isKnown ? await readState(visit) : NONE;
  // The calls may have disconnected the session, because it was ended on another device.
  if (!session.claims()) return { kind: isKnown || hasBegunPayment(session) ? "unknown" : "none" };
  if (state.kind !== "failed") rememberResult(visit, state);
  return state;
}

async function readState(visit: Visit): Promise<LastPaymentState> {
  const outcome = await visit.attempt("getLastPayment", {});
  if (!outcome.ok) {
    const { error } = outcome;
    if (!isUnknownCall("getLastPayment", error)) return FAILED;
    return findUntoldState(visit, hasNoPayment(error) && !isUnderWay(visit) ? LOST : UNTOLD);
  }
  const state = paymentStateOf(outcome.value.payload);
  return state.kind === "success" ? withAccess(visit, state) : state;
}

/** Whether the API knows the call and says that the account has no payment. */
const hasNoPayment = (failure: Failure) =>
  failure.kind === "notFound" &&
  failure.violations.some(({ property }) => property === NO_PAYMENT_PROPERTY);

/** Whether the last order of this session may still reach the API: the page gives a slow one up before that does. */
function isUnderWay({ session }: Visit) {
  const { dateTime = "", againDateTime = dateTime } = session.data.ordered ?? {};
  return Date.now() < Date.parse(againDateTime) + ARRIVAL_MS;
}

/** Longer than all that an order waits for before it is written down. */
const ARRIVAL_MS = 60_000;

/**
 * The state where the API tells of no payment: it may lack the call. Then its contract tells that
 * one was paid, and the answer to this session's own order what became of that. A contract from before an
 * order tells nothing of it: the order pays its next period. `unanswered`: the state of an order whose answer
 * is not known.
 */
async function findUntoldState(
  visit: Visit,
  unanswered: LastPaymentState,
): Promise<LastPaymentState> {
  const { ordered } = visit.session.data;
  const read = await findSubscription(visit);
  if (read.kind === "failed") return read;
  const contract = read.kind === "found" ? read.value : null;
  const ended = contract?.endedDateTime ?? null;
  if (contract && ended === null) {
    if (ordered?.outcome === "unknown" && hadBegun(contract, ordered.dateTime)) return unanswered;
    const isFree = ordered?.outcome === "free";
    const date = ordered?.dateTime ?? contract.startedDateTime;
    return { kind: "success", isFree, isRenewal: false, date };
  }
  // A contract that ended before the order is an earlier one.
  const isEarlier = ended !== null && ordered && new Date(ended) < new Date(ordered.dateTime);
  if (ended !== null && !isEarlier) return { kind: "over" };
  if (!ordered) return NONE;
  const { outcome, dateTime } = ordered;
  if (outcome === "unknown") return unanswered;
  return { kind: "success", isFree: outcome === "free", isRenewal: false, date: dateTime };
}

const UNTOLD = { kind: "failed", isUntold: true } as const;
const LOST = { kind: "lost" } as const;

const hadBegun = ({ startedDateTime }: Subscription, before: string) =>
  Date.parse(startedDateTime) + CLOCK_DIFFERENCE_MS < Date.parse(before);

/** The API has another clock than the site, and its moments may be whole seconds. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** Whether nothing is left to pay: the bank decides on the payment, or the access to what was paid is opening. */
export const isOrdered = ({ session }: Visit, { kind }: LastPaymentState): boolean =>
  kind === "pending" || (kind === "success" && !session.hasRole("vip"));

/** A debit on which the bank decides after the end of its contract: if it succeeds, it goes back. */
export type DebitAfterEnd = { amount: number; endedDateTime: string; subscription: Subscription };

/** The pending payment of a contract that has ended since: nothing opens with it, so nobody waits for access. */
export async function findDebitAfterEnd(
  visit: Visit,
  payment: LastPaymentState,
): Promise<ReadResult<DebitAfterEnd>> {
  if (payment.kind !== "pending") return NONE;
  const { amount, date } = payment;
  const read = await findSubscription(visit);
  if (read.kind !== "found") return read;
  const { value: subscription } = read;
  const { endedDateTime } = subscription;
  // An order after the end is one of the next contract.
  if (endedDateTime === null || Date.parse(date) > Date.parse(endedDateTime)) return NONE;
  return found({ amount, endedDateTime, subscription });
}

/**
 * Whether it could not be read if this account has a subscription or a payment already. The order pages
 * then say so right above their form. The form stays: the API refuses a second contract, and a
 * payment beside an undecided one, so an order sent all the same charges nobody twice.
 */
export function isHistoryUnread(
  { session }: Visit,
  payment: LastPaymentState,
  contract: ReadResult<unknown>,
): boolean {
  // A session that has just ended has no payment history.
  return session.claims() !== null && (payment.kind === "failed" || contract.kind === "failed");
}

/** Whether it is known that nothing was paid. An open page of the bank was not paid on yet. */
const isUnordered = ({ kind }: LastPaymentState) =>
  kind === "none" || kind === "lost" || kind === "unpaid" || kind === "failure";

/**
 * Whether somebody is signed in with whose account nothing was ordered: its e-mail can still be corrected,
 * by another account (C. civ. 1127-2).
 */
export async function canCorrectEmail(visit: Visit, payment: LastPaymentState): Promise<boolean> {
  const { session } = visit;
  if (!session.claims() || session.hasRole("vip") || !isUnordered(payment)) return false;
  return (await visit.find("getSubscription", {})).kind === "none" && session.claims() !== null;
}

type Link = { ok: true; url: string } | { ok: false; error: Failure };

/** Opens the bank's page for the offer that the form showed. The same order gets the same page. */
export async function createPaymentLink(visit: Visit, purchase: Purchase): Promise<Link> {
  const { offer, order } = purchase;
  rememberPurchase(visit, purchase);
  const variant = isCashback(visit, offer) ? { cashback: true } : {};
  const body = { ...order, ...partnerOf(visit, offer), ...variant };
  const outcome = await visit.attempt("createPaymentLink", { body });
  if (!outcome.ok) return outcome;
  rememberOrder(visit, "unknown");
  return { ok: true, url: outcome.value.payload.url };
}

/**
 * Remembers what the API answered to an order by card, for an API that cannot be asked later. A refusal by the
 * bank ends the order. A failure that charged nothing leaves what is known of an earlier one, but an earlier one
 * tells nothing of a renewal whose answer was lost. `sentAt`: before the call, as a contract that it opens begins
 * while it waits.
 */
export function rememberCardOrder(
  visit: Visit,
  { amountNow, due }: Offer,
  { sentAt, outcome }: { sentAt: Date; outcome: CardOutcome },
) {
  if (outcome.ok) {
    const paid = amountNow === 0 ? "free" : "paid";
    const isPaid = outcome.value.payload.status === "Success";
    return rememberOrder(visit, isPaid ? paid : "unknown", sentAt);
  }
  const { error } = outcome;
  if (error.kind === "payment") return visit.session.set({ ordered: undefined });
  const isLost = brokenStatus(error) !== null;
  const isFirst = !visit.session.data.ordered && (isLost || error.kind === "conflict");
  if (isFirst || (isLost && due !== null)) return rememberOrder(visit, "unknown", sentAt);
  const { ordered } = visit.session.data;
  if (isLost && ordered) {
    visit.session.set({ ordered: { ...ordered, againDateTime: sentAt.toISOString() } });
  }
}

type CardOutcome =
  { ok: true; value: { payload: { status: Payment["status"] } } } | { ok: false; error: Failure };

const rememberOrder = (
  { session }: Visit,
  outcome: "paid" | "free" | "unknown",
  sentAt = new Date(),
) => session.set({ ordered: { dateTime: sentAt.toISOString(), outcome } });

/**
 * The page to show after a conflict (409), or where the offer has changed since it was shown: the one of the
 * payment that may have caused it, so that nobody pays again without knowing of it. Null without such a payment.
 */
export async function paymentInTheWay(visit: Visit): Promise<string | null> {
  return isInTheWay(await findPaymentState(visit)) ? serverPaths.paymentCallback() : null;
}

export const isInTheWay = ({ kind }: LastPaymentState): boolean => IN_THE_WAY.includes(kind);

const IN_THE_WAY: readonly LastPaymentState["kind"][] = [
  "success",
  "pending",
  "delayed",
  "failed",
  "unknown",
];

/**
 * The session follows what is bought: another tab may have stored another partner. A renewal has none, and an
 * order without a partner's token does not come back into the partner's funnel.
 */
export function rememberPurchase({ session }: Visit, { offer, order }: Purchase) {
  const { formula, trafficToken } = order;
  session.set({ formula });
  if (offer.due === null) session.set({ uniqueToken: trafficToken });
  if (!trafficToken && session.data.cashback) session.set({ cashback: undefined });
}

/** The fields of a payment call that say whose sale it is. A renewal has no partner. */
export function partnerOf({ session }: Visit, { due }: Offer) {
  const { affiliation } = session.data;
  return affiliation && due === null ? { affiliation } : {};
}

const isCashback = ({ session }: Visit, { creditAmount, due }: Offer) =>
  due === null && (session.data.cashback === true || creditAmount !== undefined);

/** Without a subscription yet, access is on its way. */
async function withAccess(
  visit: Visit,
  success: Extract<LastPaymentState, { kind: "success" }>,
): Promise<LastPaymentState> {
  if (visit.session.hasRole("vip")) return success;
  const result = await findSubscription(visit);
  if (result.kind === "failed") return result;
  const hasEnded = result.kind === "found" && result.value.endedDateTime !== null;
  return hasEnded ? { kind: "over" } : success;
}

/** The session holds a formula since the bank's page was opened, and until signing out. */
const hasBegunPayment = ({ data }: Visit["session"]) => data.formula !== undefined;

function paymentStateOf(payment: Payment): LastPaymentState {
  const { status, awaiting, amount, error, formula, trafficToken, date } = payment;
  const { isRenewal = false, isLaterPeriod } = payment;
  const order = { formula, ...(trafficToken !== undefined && { trafficToken }) };
  if (status === "Success") {
    return { kind: "success", isFree: amount === 0, isRenewal, isLaterPeriod, amount, date };
  }
  if (status === "Failure" && error?.code === ("late" satisfies PlatformCode))
    return { kind: "late", order };
  if (status === "Failure") return { kind: "failure", code: error?.code, order };
  if (payment.isDelayed) return { kind: "delayed" };
  return awaiting === "payer"
    ? { kind: "unpaid", order }
    : { kind: "pending", isRenewal, amount, date };
}

/**
 * Notes for the tag manager that the registration of this session has succeeded. Whoever signs in later
 * and opens the result again has not registered again.
 */
export function noteRegistration({ session }: Visit, state: LastPaymentState) {
  if (state.kind !== "success" || state.isRenewal || state.isLaterPeriod) return;
  if (!hasBegunPayment(session)) return;
  session.noteSignUp(state.date);
}

/** The session stores the result as 1 or 0. */
function rememberResult({ session }: Visit, { kind }: LastPaymentState) {
  const isPaid = kind === "success" || kind === "over";
  const paymentResult = isPaid ? "1" : kind === "failure" ? "0" : undefined;
  if (session.data.paymentResult !== paymentResult) session.set({ paymentResult });
}
