import type { CheckedOffer } from "~/api/offer.server";
import { findPaymentState, isInTheWay } from "~/api/payment.server";
import { findEndedContract, findSubscription } from "~/api/subscription.server";
import { dayOf } from "~/contract/day";
import { dueDayOf } from "~/contract/offer";
import { paths, serverPaths } from "~/paths";
import type { Visit } from "~/session/visit.server";
import { readShownOffer } from "./offer.server";
import { isForeign } from "./read.server";

/**
 * The page that tells why nothing is left to sell: the one of the payment that may have caused it, the
 * account of a subscriber, whom the API sells no second contract, or the registration after a contract that is
 * over for good, whose account buys nothing. After a double click the browser shows the answer to the
 * second post only, which may come when the first one has paid already.
 * @throws Response redirect to the login page, with the form, when the session has ended
 */
export async function findPageInstead(
  visit: Visit,
  form: FormData,
  checked: CheckedOffer,
): Promise<string | null> {
  const wasSignedIn = visit.session.claims() !== null;
  const instead = await readPageInstead(visit, form, checked);
  // The session was ended on another device. Without this check the order would be taken for a new account's.
  return wasSignedIn && !visit.session.claims() ? visit.throwToLogin() : instead;
}

async function readPageInstead(
  visit: Visit,
  form: FormData,
  checked: CheckedOffer,
): Promise<string | null> {
  // A form that is not carried out is told as that, whatever its sender owes.
  if (isForeign(form)) return null;
  const { session } = visit;
  const due = checked.kind === "failed" ? null : checked.offer?.due;
  if (due) return checked.kind === "changed" ? findPaidBefore(visit, form, due) : null;
  // The roles of the session may be older than the end of its contract.
  if (checked.kind === "same" && session.hasRole("vip")) await visit.signedIn();
  if ((await findEndedContract(visit)).kind === "found") return paths.registration();
  if (checked.kind === "failed") return null;
  if (checked.kind === "same" && !session.hasRole("vip")) return null;
  const payment = await findPaymentState(visit);
  const isSubscriber = session.hasRole("vip");
  if (isSubscriber && payment.kind === "success" && !(await isShownOrderPaid(visit, form)))
    return sayNothingDue(visit);
  if (isInTheWay(payment)) return serverPaths.paymentCallback();
  return isSubscriber ? sayNothingDue(visit) : null;
}

/** Tells a subscriber that nothing is to be paid. Returns the path of the page that shows it. */
export function sayNothingDue({ session }: Visit): string {
  session.flash({ type: "info", key: "nothingDue" });
  return paths.account();
}

/**
 * The page of the payment by which the first of two posts paid what both showed, although another period can
 * be paid since: the card that paid expires before the next debit, or the periods are short. Null where the
 * last payment is not that one.
 */
async function findPaidBefore(
  visit: Visit,
  form: FormData,
  { date }: { date: string },
): Promise<string | null> {
  const shownDay = shownDueDay(form);
  if (shownDay === dayOf(new Date(date))) return null;
  const payment = await findPaymentState(visit);
  if (payment.kind !== "success") return null;
  // Such a payment opened no contract.
  const isLater = payment.isRenewal || payment.isLaterPeriod === true;
  if (shownDay === null && isLater) return null;
  return (await isShownOrderPaid(visit, form)) ? serverPaths.paymentCallback() : null;
}

/** The day on which the period that a form showed begins; null for the order of a contract. */
function shownDueDay(form: FormData): string | null {
  const { statement } = readShownOffer(form);
  return statement === undefined ? null : dueDayOf(statement);
}

/**
 * Whether the order that a form showed may be what the last payment paid. A stop, too, leaves nothing to pay:
 * then the payment is that of an earlier period. The period that the form showed is paid where the contract
 * lasts beyond the day on which that begins.
 */
async function isShownOrderPaid(visit: Visit, form: FormData): Promise<boolean> {
  const read = await findSubscription(visit);
  if (read.kind !== "found") return true;
  const { expirationDateTime, cancelledDateTime } = read.value;
  const dueDay = shownDueDay(form);
  return dueDay === null
    ? cancelledDateTime === null
    : dayOf(new Date(expirationDateTime)) > dueDay;
}
