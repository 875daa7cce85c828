import type { TicketChange } from "../../../app/contract/desk";
import type { Database, Tables } from "../database/tables";
import { invalid } from "../http/refusal";
import { isActive } from "../../../app/contract/ticket-status";
import { checkConsent } from "../support/consent";
import { updateCounts } from "../support/counts";
import { statusColumns } from "../support/statuses";
import { lockTicket } from "../support/ticket";
import { inTransaction } from "../database/transaction";
import type { SupportContext } from "../support/context";
import { findCoach } from "./coaches";
import { checkVersion } from "./version";

type Row = Tables["ticket"];

/**
 * Sets status and assignee. A change that is already in place succeeds, so that a repeated request
 * gets the same response.
 * @throws Refusal 404, 400 when the assignee is not a coach, 409 when the ticket has changed, or when it
 *   is reopened though its person took their consent back
 */
export async function changeTicket(
  context: SupportContext,
  uid: string,
  { status, assignee, version }: TicketChange,
): Promise<Row> {
  return inTransaction(context, async ({ db, clock }) => {
    const ticket = await lockTicket(db, uid);
    const wanted = {
      status: status ?? ticket.status,
      assignee_uid: assignee === undefined ? ticket.assignee_uid : assignee,
    };
    if (isUnchanged(ticket, wanted)) return ticket;
    const isStatusChanged = wanted.status !== ticket.status;
    // Taking the consent back closes the ticket, and so changes its version: the reason comes first.
    if (isStatusChanged && isActive(wanted.status)) await checkConsent(db, ticket.account_uid);
    checkVersion(ticket, version);
    if (assignee) await checkCoach(db, assignee);
    return updateTicket(db, ticket, wanted, clock.now());
  });
}

type Wanted = Pick<Row, "status" | "assignee_uid">;

const isUnchanged = (ticket: Row, wanted: Wanted) =>
  ticket.status === wanted.status && ticket.assignee_uid === wanted.assignee_uid;

async function checkCoach(db: Database, uid: string) {
  if (!(await findCoach(db, uid))) throw invalid("assignee", "No coach");
}

async function updateTicket(
  db: Database,
  before: Row,
  { status, assignee_uid }: Wanted,
  now: Date,
) {
  const entered = statusColumns(status, before, now.toISOString());
  const ticket = await db
    .updateTable("ticket")
    .set({ ...entered, assignee_uid, version: before.version + 1 })
    .where("uid", "=", before.uid)
    .returningAll()
    .executeTakeFirstOrThrow();
  await updateCounts(db, before, ticket);
  return ticket;
}
