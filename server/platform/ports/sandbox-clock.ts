import { z } from "zod/v4";
import type { Database } from "../database/tables";
import { addDuration } from "../../../app/contract/calendar";
import { systemClock, type Clock } from "./clock";

const SETTING = "sandbox.clock";

/** Milliseconds ahead of the system's clock: where the sandbox stands, and where it is going. */
const position = z.object({ offset: z.number(), target: z.number() });
type Position = z.infer<typeof position>;

/**
 * The system's clock, moved ahead by `npm run sandbox -- advance`; all processes of one database
 * read the same. It goes from one due job to the next, so that each happens at its own moment.
 */
export class SandboxClock implements Clock {
  #offset = 0;
  readonly #db: Database;
  readonly #base: Clock;

  constructor(db: Database, base: Clock = systemClock) {
    this.#db = db;
    this.#base = base;
  }

  now() {
    return new Date(this.#base.now().getTime() + this.#offset);
  }

  async catchUp(): Promise<boolean> {
    const { position, stored } = await read(this.#db);
    this.#offset = position.offset;
    if (position.offset === position.target) return false;
    const next = await nextJobAt(this.#db);
    // Somebody else is at work on it: time waits.
    if (next && next <= this.now()) return false;
    const step = next ? next.getTime() - this.#base.now().getTime() : Infinity;
    const offset = Math.min(step, position.target);
    await replace(this.#db, stored, { ...position, offset });
    this.#offset = (await read(this.#db)).position.offset;
    return true;
  }
}

/** Sends the sandbox's clock that many days of Paris ahead; gives the moment it is going to. */
export async function advanceSandbox(
  db: Database,
  days: number,
  base = systemClock,
): Promise<Date> {
  for (;;) {
    const { position, stored } = await read(db);
    const now = base.now().getTime();
    const goal = addDuration(new Date(now + position.target), days, "day");
    if (await replace(db, stored, { ...position, target: goal.getTime() - now })) return goal;
  }
}

async function read(db: Database): Promise<{ position: Position; stored: string | null }> {
  const row = await db
    .selectFrom("setting")
    .select("value")
    .where("name", "=", SETTING)
    .executeTakeFirst();
  if (!row) return { position: { offset: 0, target: 0 }, stored: null };
  return { position: position.parse(JSON.parse(row.value)), stored: row.value };
}

/** False when another process moved it in between. */
async function replace(db: Database, stored: string | null, position: Position): Promise<boolean> {
  const value = JSON.stringify(position);
  const changed =
    stored === null
      ? db
          .insertInto("setting")
          .values({ name: SETTING, value })
          .onConflict((conflict) => conflict.column("name").doNothing())
          .returning("name")
      : db
          .updateTable("setting")
          .set({ value })
          .where("name", "=", SETTING)
          .where("value", "=", stored)
          .returning("name");
  return (await changed.executeTakeFirst()) !== undefined;
}

async function nextJobAt(db: Database): Promise<Date | null> {
  const job = await db
    .selectFrom("job")
    .select("run_at")
    .where("done_at", "is", null)
    .orderBy("run_at")
    .limit(1)
    .executeTakeFirst();
  return job ? new Date(job.run_at) : null;
}
