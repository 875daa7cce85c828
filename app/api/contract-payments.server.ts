import type { ListedPayment, Subscription } from "~/contract/subscriptions";
import type { Visit } from "~/session/visit.server";
import type { ReadResult } from "./read-result";
import type { Subscribed } from "./subscription.server";

/** All payments of a contract; null where not all of them could be read, so that no sum of them is true. */
export async function findPaymentsOf(
  visit: Visit,
  { reference }: Subscription,
): Promise<ListedPayment[] | null> {
  if (reference === undefined) return null;
  const read = await visit.find("listPayments", { query: {} });
  if (read.kind !== "found" || read.value.page.hasNextPage) return null;
  return read.value.payload.filter(({ contract }) => contract === reference);
}

/** Whether a withdrawal has ended the contract. An API that does not tell promises no refund. */
export const isWithdrawn = ({ withdrawnDateTime }: Subscription): boolean =>
  withdrawnDateTime !== undefined;

/** The payments of a contract that was withdrawn from, for what comes back of them; null of any other contract. */
export async function findWithdrawn(visit: Visit, contract: Subscription | null) {
  if (contract === null || !isWithdrawn(contract)) return null;
  return { payments: await findPaymentsOf(visit, contract) };
}

export const findWithdrawnOf = (visit: Visit, read: ReadResult<Subscribed>) =>
  findWithdrawn(visit, read.kind === "found" ? read.value.subscription : null);

/**
 * Whether the API lists payments. Without the call, their page has nothing to show, and nothing tells that the API
 * mails receipts and confirmations: no page promises them.
 */
export async function listsPayments(visit: Visit): Promise<boolean> {
  return (await visit.find("listPayments", { query: { length: 1 } })).kind !== "none";
}

/** The same for a page that leads to the payments of a contract once that has ended. */
export const listsPaymentsOfEnded = async (visit: Visit, read: ReadResult<Subscribed>) =>
  read.kind === "found" &&
  read.value.subscription.endedDateTime !== null &&
  (await listsPayments(visit));
