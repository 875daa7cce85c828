import type { CheckedOffer } from "~/api/offer.server";
import { findPaymentState, isInTheWay } from "~/api/payment.server";
import { findEndedContract, findSubscription } from "~/api/subscription.server";
import { dayOf } from "~/contract/day";
import { dueDayOf } from "~/contract/offer";
import { paths } from "~/paths";
import type { Visit } from "~/session/visit.server";
import { readShownOffer } from "./offer.server";
import { isForeign } from "./read.server";

/**
 * The page that tells why nothing is left to sell: the one of the payment that may have caused it, the
 * account of a subscriber, whom the API sells no second contract, or the registration after a contract that is
 * over for good, whose account buys nothing. After a double click the browser shows the answer to the
 * second post only, which may come when the first one has paid already.
 */
export async function findPageInstead(
  visit: Visit,
  form: FormData,
  checked: CheckedOffer,
): Promise<string | null> {
  // A form that is not carried out is told as that, whatever its sender owes.
  if (isForeign(form)) return null;
  const { session } = visit;
  if (checked.kind !== "failed" && checked.offer?.due) return null;
  // The roles of the session may be older than the end of its contract.
  if (checked.kind === "same" && session.hasRole("vip")) await visit.signedIn();
  if ((await findEndedContract(visit)).kind === "found") return paths.registration();
  if (checked.kind === "failed") return null;
  if (checked.kind === "same" && !session.hasRole("vip")) return null;
  const payment = await findPaymentState(visit);
  const isSubscriber = session.hasRole("vip");
  if (isSubscriber && payment.kind === "success" && !(await isShownOrderPaid(visit, form)))
    return sayNothingDue(visit);
  if (isInTheWay(payment)) return paths.paymentCallback();
  return isSubscriber ? sayNothingDue(visit) : null;
}

/** Tells a subscriber that nothing is to be paid. Returns the path of the page that shows it. */
export function sayNothingDue({ session }: Visit): string {
  session.flash({ type: "info", key: "nothingDue" });
  return paths.account();
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
  const { statement } = readShownOffer(form);
  const dueDay = statement === undefined ? null : dueDayOf(statement);
  return dueDay === null
    ? cancelledDateTime === null
    : dayOf(new Date(expirationDateTime)) > dueDay;
}
