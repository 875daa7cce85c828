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
