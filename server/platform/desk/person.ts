import type { DeskSubscription } from "../../../app/contract/desk";
import type { Subscription } from "../../../app/contract/subscriptions";
import type { Database, Tables } from "../database/tables";
import { findFormula } from "../offers/formulas";
import { newestSubscription } from "../subscriptions/subscription";

/**
 * What the person of a ticket pays for. Of a contact: what the account with the same e-mail
 * does, for the coach's eyes: answers go to that letter box.
 */
export async function subscriptionOf(
  db: Database,
  ticket: Tables["ticket"],
): Promise<DeskSubscription | null> {
  const accountUid = ticket.account_uid ?? (await accountOf(db, ticket.email_key));
  const subscription = accountUid ? await newestSubscription(db, accountUid) : null;
  if (!subscription) return null;
  const { formula: uid = "", startedDateTime: since } = subscription;
  const name = (await findFormula(db, uid))?.name ?? uid;
  return { ...stateOf(subscription), since, formula: name };
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

async function accountOf(db: Database, emailKey: string) {
  const account = await db
    .selectFrom("account")
    .select("uid")
    .where("identifier_key", "=", emailKey)
    .executeTakeFirst();
  return account?.uid;
}
