import { z } from "zod/v4";
import type { Database } from "../database/tables";
import type { Clock } from "../ports/clock";
import { newUid } from "../ports/ids";

/** A process that died holds the mailbox up no longer than this. */
const LEASE_MS = 60_000;
const NAME = "inbound.lease";

const lease = z.object({ holder: z.string(), until: z.string() });
type Lease = z.infer<typeof lease>;

export type MailboxLease = ReturnType<typeof mailboxLease>;

/** Of several processes one reads the mailbox, as long as it says so again in time. */
export function mailboxLease(db: Database, clock: Clock, holder = newUid()) {
  const ends = (after: number) => new Date(clock.now().getTime() + after).toISOString();
  const isFree = (held: Lease) => held.holder === holder || held.until < ends(0);
  return {
    /** Takes it or keeps it; false: another has it. */
    async take(): Promise<boolean> {
      const next = JSON.stringify({ holder, until: ends(LEASE_MS) });
      const known = await read(db);
      if (!known) return insert(db, next);
      return isFree(lease.parse(JSON.parse(known))) && replace(db, known, next);
    },
    async release() {
      const known = await read(db);
      if (!known || lease.parse(JSON.parse(known)).holder !== holder) return;
      await replace(db, known, JSON.stringify({ holder, until: ends(-LEASE_MS) }));
    },
  };
}

async function read(db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom("setting")
    .select("value")
    .where("name", "=", NAME)
    .executeTakeFirst();
  return row?.value;
}

async function insert(db: Database, value: string) {
  const row = await db
    .insertInto("setting")
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("name")
    .executeTakeFirst();
  return row !== undefined;
}

/** Only what was read is replaced: of two at once one is first. */
async function replace(db: Database, known: string, value: string) {
  const row = await db
    .updateTable("setting")
    .set({ value })
    .where("name", "=", NAME)
    .where("value", "=", known)
    .returning("name")
    .executeTakeFirst();
  return row !== undefined;
}
