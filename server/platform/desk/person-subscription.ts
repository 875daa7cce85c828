import type { DeskSubscription } from "../../../app/contract/desk";
import type { Subscription } from "../../../app/contract/subscriptions";
import type { Database, Tables } from "../database/tables";
import { readNewestSubscription } from "../subscriptions/subscription";

/**
 * Reads the subscription of a ticket's person. For a contact ticket it is the subscription
 * of the account with the same e-mail; only coaches see it.
 */
export async function readPersonSubscription(
  db: Database,
  ticket: Tables["ticket"],
  now: Date,
): Promise<DeskSubscription | null> {
  const accountUid = ticket.account_uid ?? (await findAccountUid(db, ticket.email_key));
  const subscription = accountUid ? await readNewestSubscription(db, accountUid, now) : null;
  if (!subscription) return null;
  const { formulaName: formula = "", startedDateTime: since } = subscription;
  return { ...stateOf(subscription), since, formula };
}

function stateOf(
  subscription: Omit<Subscription, "dueReason">,
): Pick<DeskSubscription, "state" | "nextDate"> {
  const { endedDateTime, graceDateTime, cancelledDateTime, expirationDateTime } = subscription;
  if (endedDateTime) return { state: "ended", nextDate: null };
  const nextDate = graceDateTime ?? expirationDateTime;
  if (cancelledDateTime) return { state: "stopped", nextDate };
  return { state: graceDateTime ? "grace" : "active", nextDate };
}

async function findAccountUid(db: Database, emailKey: string) {
  const account = await db
    .selectFrom("account")
    .select("uid")
    .where("identifier_key", "=", emailKey)
    .executeTakeFirst();
  return account?.uid;
}
