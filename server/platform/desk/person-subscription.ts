import type { DeskSubscription } from "../../../app/contract/desk";
import type { Subscription } from "../../../app/contract/subscriptions";
import type { Database, Tables } from "../database/tables";
import { findContractName } from "../subscriptions/contract-name";
import { dueReasonOf } from "../subscriptions/due";
import { findPlannedEnd } from "../subscriptions/planned-stop";
import { factsOf, findNewestSubscription } from "../subscriptions/subscription";
import type { DeskContext } from "./context";

/**
 * Reads the subscription of a ticket's person. For a contact ticket it is the subscription
 * of the account with the same e-mail; only coaches see it.
 */
export async function readPersonSubscription(
  { db, clock, calendar }: DeskContext,
  ticket: Tables["ticket"],
): Promise<DeskSubscription | null> {
  const accountUid = ticket.account_uid ?? (await findAccountUid(db, ticket.email_key));
  const row = accountUid && (await findNewestSubscription(db, accountUid, clock.now()));
  if (!row) return null;
  const plannedEnd = await findPlannedEnd({ db, calendar }, row);
  const formula = await findContractName(db, row);
  const told = stateOf(factsOf(row), plannedEnd);
  const reason = told.state === "grace" ? dueReasonOf(row, clock.now(), calendar) : null;
  const isAwaited = reason !== null && reason !== "declined";
  return { ...told, since: row.started_at, formula, ...(isAwaited && { isAwaited }) };
}

function stateOf(
  subscription: Omit<Subscription, "dueReason">,
  plannedEnd: string | null,
): Pick<DeskSubscription, "state" | "nextDate"> {
  const { endedDateTime, graceDateTime, cancelledDateTime, expirationDateTime } = subscription;
  if (endedDateTime) return { state: "ended", nextDate: null };
  const nextDate = graceDateTime ?? expirationDateTime;
  if (cancelledDateTime) return { state: "stopped", nextDate };
  if (graceDateTime) return { state: "grace", nextDate };
  return plannedEnd ? { state: "stopped", nextDate: plannedEnd } : { state: "active", nextDate };
}

async function findAccountUid(db: Database, emailKey: string) {
  const account = await db
    .selectFrom("account")
    .select("uid")
    .where("identifier_key", "=", emailKey)
    .executeTakeFirst();
  return account?.uid;
}
