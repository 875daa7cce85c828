import { paymentState } from "~/api/payment.server";
import { findSubscription } from "~/api/subscription.server";
import type { Visit } from "~/session/enter.server";
import { formatDate } from "~/ui/format";

/**
 * Why somebody who is signed in has no access: it is about to open, the bank has not decided
 * yet, the subscription has ended, the last payment failed, or there never was one.
 */
export type NoAccess =
  | { kind: "opening" }
  | { kind: "pending" }
  | { kind: "ended"; date: string; isLeaving: boolean }
  | { kind: "refused" }
  | { kind: "none" };

export async function whyNoAccess(visit: Visit): Promise<NoAccess> {
  const { kind } = await paymentState(visit);
  if (kind === "success") return { kind: "opening" };
  if (kind === "pending") return { kind };
  const subscription = (await findSubscription(visit))?.subscription;
  const { endedDateTime, cancelledDateTime } = subscription ?? {};
  if (endedDateTime) {
    const isLeaving = Boolean(cancelledDateTime);
    return { kind: "ended", date: formatDate(endedDateTime), isLeaving };
  }
  return { kind: kind === "failure" ? "refused" : "none" };
}
