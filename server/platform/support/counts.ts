import { deskCounts, type DeskCounts } from "../../../app/contract/desk";
import {
  SUPPORT_TYPES,
  TICKET_STATUSES,
  type SupportType,
  type TicketStatus,
} from "../../../app/contract/ticket-status";
import type { Database } from "../database/tables";
import { isOpenToCoaches } from "./open-to-coaches";

type Counted = { type: SupportType; status: TicketStatus };

/** Reads the stored numbers of tickets per type and status, without those that coaches may not read. */
export async function readCounts(db: Database): Promise<DeskCounts> {
  const [stored, closed] = [await readStored(db), await countClosedToCoaches(db)];
  const find = (rows: readonly CountRow[], type: SupportType, status: TicketStatus) =>
    Number(rows.find((row) => row.type === type && row.status === status)?.count ?? 0);
  // Another transaction may change tickets between the two reads.
  const countOf = (type: SupportType, status: TicketStatus) =>
    Math.max(0, find(stored, type, status) - find(closed, type, status));
  const byStatus = (type: SupportType) =>
    Object.fromEntries(TICKET_STATUSES.map((status) => [status, countOf(type, status)]));
  return deskCounts.parse(Object.fromEntries(SUPPORT_TYPES.map((type) => [type, byStatus(type)])));
}

type CountRow = Counted & { count: number };

const readStored = (db: Database): Promise<CountRow[]> =>
  db.selectFrom("ticket_count").selectAll().execute();

/** Counts the discussions whose consent was taken back, starting from the few consents that were. */
const countClosedToCoaches = (db: Database): Promise<CountRow[]> =>
  db
    .selectFrom("ticket")
    .select((e) => ["type", "status", e.fn.countAll<number>().as("count")] as const)
    .where(
      "account_uid",
      "in",
      db
        .selectFrom("sensitive_consent")
        .select("account_uid")
        .where("taken_back_at", "is not", null),
    )
    .where((e) => e.not(isOpenToCoaches(e)))
    .groupBy(["type", "status"])
    .execute();

/** A ticket before and after a change; null where there was, or is, none. */
type Change = { from: Counted | null; to: Counted | null };

/** Updates the counts in the transaction that changes a ticket. */
export const updateCounts = (db: Database, from: Counted | null, to: Counted | null) =>
  updateCountsOf(db, [{ from, to }]);

/**
 * Updates the counts in the transaction that changes some tickets, once all of them are locked or
 * changed. The fixed order of rows avoids deadlocks.
 */
export async function updateCountsOf(db: Database, changes: readonly Change[]) {
  const sums = new Map<string, Counted & { by: number }>();
  const add = (counted: Counted | null, by: number) => {
    if (!counted) return;
    const { type, status } = counted;
    const key = `${status} ${type}`;
    sums.set(key, { type, status, by: (sums.get(key)?.by ?? 0) + by });
  };
  for (const { from, to } of changes) {
    add(from, -1);
    add(to, 1);
  }
  const steps = [...sums].filter(([, { by }]) => by !== 0);
  for (const [, step] of steps.sort(([a], [b]) => (a < b ? -1 : 1))) await addToCount(db, step);
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
