import { deskCounts, type DeskCounts } from "../../../app/contract/desk";
import {
  SUPPORT_TYPES,
  TICKET_STATUSES,
  type SupportType,
  type TicketStatus,
} from "../../../app/contract/ticket-status";
import type { Database } from "../database/tables";

type Counted = { type: SupportType; status: TicketStatus };

/** Reads the stored numbers of tickets per type and status. */
export async function readCounts(db: Database): Promise<DeskCounts> {
  const rows = await db.selectFrom("ticket_count").selectAll().execute();
  const countOf = (type: SupportType, status: TicketStatus) =>
    rows.find((row) => row.type === type && row.status === status)?.count ?? 0;
  const byStatus = (type: SupportType) =>
    Object.fromEntries(TICKET_STATUSES.map((status) => [status, countOf(type, status)]));
  return deskCounts.parse(Object.fromEntries(SUPPORT_TYPES.map((type) => [type, byStatus(type)])));
}

/**
 * Updates the counts in the transaction that changes a ticket; the fixed order of rows avoids
 * deadlocks.
 */
export async function updateCounts(db: Database, from: Counted | null, to: Counted | null) {
  if (from?.status === to?.status) return;
  const steps = [from && { ...from, by: -1 }, to && { ...to, by: 1 }].filter(
    (step) => step !== null,
  );
  for (const step of steps.sort((a, b) => (a.status < b.status ? -1 : 1)))
    await addToCount(db, step);
}

export async function addToCount(db: Database, { type, status, by }: Counted & { by: number }) {
  await db
    .insertInto("ticket_count")
    .values({ type, status, count: by })
    .onConflict((conflict) =>
      conflict
        .columns(["type", "status"])
        .doUpdateSet((e) => ({ count: e("ticket_count.count", "+", by) })),
    )
    .execute();
}
