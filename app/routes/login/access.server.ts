import { findPaymentState } from "~/api/payment.server";
import { findSubscription } from "~/api/subscription.server";
import type { Subscription } from "~/contract/subscriptions";
import type { Visit } from "~/session/visit.server";
import { formatDate } from "~/ui/format";

/**
 * Why a signed-in account has no access.
 * - `opening`: paid, the access is being opened
 * - `pending`: the bank has not decided
 * - `ended`: the subscription is over
 * - `refused`: the last payment failed
 * - `none`: there never was a payment
 * - `unread`: the reason could not be read
 */
export type NoAccess =
  | { kind: "opening" }
  | { kind: "pending" }
  | { kind: "ended"; date: string; isLeaving: boolean }
  | { kind: "refused" }
  | { kind: "none" }
  | { kind: "unread" };

export async function findNoAccessReason(visit: Visit): Promise<NoAccess> {
  const { kind } = await findPaymentState(visit);
  if (kind === "failed") return { kind: "unread" };
  if (kind === "success") return { kind: "opening" };
  if (kind === "pending") return { kind };
  const result = await findSubscription(visit);
  if (result.kind === "failed") return { kind: "unread" };
  const ended = result.kind === "found" ? endedAccess(result.value.subscription) : null;
  return ended ?? { kind: kind === "failure" ? "refused" : "none" };
}

/** For a page that asks nothing else: a session that has ended shows nobody's name. */
export async function whetherKnown(visit: Visit): Promise<NoAccess | null> {
  return (await visit.signedIn()).kind === "failed" ? { kind: "unread" } : null;
}

function endedAccess({ endedDateTime, cancelledDateTime }: Subscription): NoAccess | null {
  if (!endedDateTime) return null;
  return { kind: "ended", date: formatDate(endedDateTime), isLeaving: cancelledDateTime !== null };
}
