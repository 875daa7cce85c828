import { paymentState } from "~/api/payment.server";
import { findSubscription } from "~/api/subscription.server";
import type { Visit } from "~/session/enter.server";

/**
 * Paid, but the access is not open yet: up to five minutes. A subscription that was paid and
 * has ended opens nothing any more.
 */
export async function awaitsAccess(visit: Visit): Promise<boolean> {
  const { kind } = await paymentState(visit);
  if (kind !== "success") return kind === "pending";
  const subscribed = await findSubscription(visit);
  return !subscribed?.subscription.endedDateTime;
}
