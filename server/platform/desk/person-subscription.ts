import type { DeskSubscription } from "../../../app/contract/desk";
import type { Database, Tables } from "../database/tables";
import { findContractName } from "../money/contract-name";
import type { SubscriptionRow } from "../database/subscription-row";
import { findPlannedEnd } from "../subscriptions/planned-stop";
import {
  findBegunDebit,
  findNewestSubscription,
  subscriptionPayload,
} from "../subscriptions/subscription";
import type { DeskContext } from "./context";

/**
 * Reads the subscription of a ticket's person. For a contact ticket it is the subscription
 * of the account with the same e-mail; only coaches see it.
 */
export async function readPersonSubscription(
  context: DeskContext,
  ticket: Tables["ticket"],
): Promise<DeskSubscription | null> {
  const { db, clock } = context;
  const accountUid = ticket.account_uid ?? (await findAccountUid(db, ticket.email_key));
  const row = accountUid && (await findNewestSubscription(db, accountUid, clock.now()));
  if (!row) return null;
  const formula = await findContractName(db, row);
  return { ...(await readState(context, row)), since: row.started_at, formula };
}

/** The state as the account of its owner shows it, from the same facts. */
async function readState(
  { db, clock, calendar }: DeskContext,
  row: SubscriptionRow,
): Promise<Pick<DeskSubscription, "state" | "nextDate" | "isAwaited">> {
  const now = clock.now();
  const begun = await findBegunDebit(db, row, now);
  const { endedDateTime, cancelledDateTime, expirationDateTime, graceDateTime, dueReason } = {
    ...subscriptionPayload(row, now, calendar),
    ...begun,
  };
  if (endedDateTime) return { state: "ended", nextDate: null };
  const nextDate = graceDateTime ?? expirationDateTime;
  if (cancelledDateTime) return { state: "stopped", nextDate };
  if (begun) return { state: begun.isDebitUndecided ? "undecided" : "delayed", nextDate };
  if (graceDateTime) {
    const isAwaited = dueReason !== undefined && dueReason !== "declined";
    return { state: "grace", nextDate, ...(isAwaited && { isAwaited }) };
  }
  const plannedEnd = await findPlannedEnd({ db, calendar }, row);
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
