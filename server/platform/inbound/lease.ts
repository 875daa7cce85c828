import { z } from "zod/v4";
import type { Database } from "../database/tables";
import type { Clock } from "../ports/clock";
import { newUid } from "../ports/ids";

/** Time after which another process may take over from a dead one. */
const LEASE_MS = 60_000;
const NAME = "inbound.lease";

const lease = z.object({ holder: z.string(), until: z.string() });
type Lease = z.infer<typeof lease>;

export type MailboxLease = ReturnType<typeof createMailboxLease>;

/** A lease that lets only one of several processes read the mailbox; it must be renewed in time. */
export function createMailboxLease(db: Database, clock: Clock, holder = newUid()) {
  const isoAfter = (after: number) => new Date(clock.now().getTime() + after).toISOString();
  const isFree = (held: Lease) => held.holder === holder || held.until < isoAfter(0);
  return {
    /** Acquires or renews the lease; false when another process holds it. */
    async acquire(): Promise<boolean> {
      const next = JSON.stringify({ holder, until: isoAfter(LEASE_MS) });
      const known = await readLease(db);
      if (!known) return insertLease(db, next);
      return isFree(lease.parse(JSON.parse(known))) && replaceLease(db, known, next);
    },
    async release() {
      const known = await readLease(db);
      if (!known || lease.parse(JSON.parse(known)).holder !== holder) return;
      await replaceLease(db, known, JSON.stringify({ holder, until: isoAfter(-LEASE_MS) }));
    },
  };
}

async function readLease(db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom("setting")
    .select("value")
    .where("name", "=", NAME)
    .executeTakeFirst();
  return row?.value;
}

async function insertLease(db: Database, value: string) {
  const row = await db
    .insertInto("setting")
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("name")
    .executeTakeFirst();
  return row !== undefined;
}

/** Replaces the value only if it is still the one read, so that one of two processes wins. */
async function replaceLease(db: Database, known: string, value: string) {
  const row = await db
    .updateTable("setting")
    .set({ value })
    .where("name", "=", NAME)
    .where("value", "=", known)
    .returning("name")
    .executeTakeFirst();
  return row !== undefined;
}
