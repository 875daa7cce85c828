import { z } from "zod/v4";
import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import type { Workers } from "../jobs/runner";
import { deleteTickets } from "./deletion";

const LINKS = "support.purge-links";
const TICKETS = "support.purge-tickets";
const DAY_MS = 24 * 3_600_000;

/** A link lasts 30 days and is remembered for another 30, so that it is told it is worn out. */
const LINKS_KEPT_DAYS = 60;
/** Contact tickets after their closing (docs/decisions). */
const TICKETS_KEPT_YEARS = 3;

const work = z.object({ before: z.string() });

export async function schedulePurge(db: Database, now: Date) {
  const end = endOfDay(now);
  const runAt = new Date(end.getTime() + LINKS_KEPT_DAYS * DAY_MS);
  await schedule(db, LINKS, end, runAt);
}

export async function scheduleTicketPurge(db: Database, now: Date) {
  const end = endOfDay(now);
  const runAt = new Date(end);
  runAt.setUTCFullYear(end.getUTCFullYear() + TICKETS_KEPT_YEARS);
  await schedule(db, TICKETS, end, runAt);
}

export const purgeWorkers = (db: Database): Workers => ({
  [LINKS]: async (payload) => {
    const { before } = work.parse(payload);
    await db.deleteFrom("support_link").where("created_at", "<", before).execute();
  },
  [TICKETS]: async (payload) => {
    const { before } = work.parse(payload);
    await purgeTickets(db, before);
  },
});

/** What was opened again meanwhile has another day of closing, or none. */
async function purgeTickets(db: Database, before: string) {
  await db.transaction().execute(async (transaction) => {
    const old = await transaction
      .selectFrom("ticket")
      .select("uid")
      .where("type", "=", "contact")
      .where("closed_at", "<", before)
      .execute();
    await deleteTickets(
      transaction,
      old.map(({ uid }) => uid),
    );
  });
}

/** One job a day, however much happens on it. */
async function schedule(db: Database, kind: string, end: Date, runAt: Date) {
  const before = end.toISOString();
  await enqueue(db, { kind, key: `${kind}:${before}`, payload: { before }, runAt });
}

function endOfDay(now: Date) {
  const day = now.toISOString().slice(0, "2026-01-01".length);
  return new Date(Date.parse(day) + DAY_MS);
}
