import { findPaymentState, isOrdered } from "~/api/payment.server";
import type { Visit } from "~/session/visit.server";

/**
 * Somebody who is signed in and may not read the whole article.
 * - `paying`: the bank decides on a payment, which may still open the access, so that nothing is sold
 * - `opening`: paid for, and the access is on its way
 * - `unread`: this could not be read, and nothing is sold either
 * - `tried`: the last payment came to nothing
 * - `new`: no payment tells anything of an access
 */
export type Member = "paying" | "opening" | "unread" | "tried" | "new";

/** Null for visitors who are not signed in. */
export async function findMember(visit: Visit): Promise<Member | null> {
  if (!visit.session.claims()) return null;
  const payment = await findPaymentState(visit);
  // The read may have disconnected the session, because it was ended on another device.
  if (!visit.session.claims()) return null;
  if (payment.kind === "failed") {
    visit.markIncomplete();
    return "unread";
  }
  if (isOrdered(visit, payment)) return payment.kind === "pending" ? "paying" : "opening";
  return payment.kind === "failure" || payment.kind === "late" ? "tried" : "new";
}
