import { paymentState } from "~/api/payment.server";
import { findSubscription } from "~/api/subscription.server";
import type { Visit } from "~/session/enter.server";

/** `waits`: paid, but the access is not open yet: up to five minutes. */
export type Access = "waits" | "none" | "unread";

/** A subscription that was paid and has ended opens nothing any more. */
export async function accessOf(visit: Visit): Promise<Access> {
  const { kind } = await paymentState(visit);
  if (kind === "failed") return "unread";
  if (kind !== "success") return kind === "pending" ? "waits" : "none";
  const subscribed = await findSubscription(visit);
  if (subscribed.kind === "failed") return "unread";
  const hasEnded = subscribed.kind === "found" && subscribed.value.subscription.endedDateTime;
  return hasEnded ? "none" : "waits";
}
