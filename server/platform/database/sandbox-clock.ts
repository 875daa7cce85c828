import { z } from "zod/v4";
import type { Database } from "./tables";
import { addDuration } from "../../../app/contract/calendar";
import { systemClock, type Clock } from "../ports/clock";

const SETTING = "sandbox.clock";

/** Milliseconds ahead of the system clock: now (`offset`) and at the end of the advance (`target`). */
const position = z.object({ offset: z.number(), target: z.number() });
type Position = z.infer<typeof position>;

/**
 * The system clock plus an offset that `npm run sandbox -- advance` moves ahead. All processes of
 * one database share it. It stops at each due job, so that every job runs at its own time.
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
    const { position, storedValue } = await readPosition(this.#db);
    this.#offset = position.offset;
    if (position.offset === position.target) return false;
    const next = await nextJobAt(this.#db);
    // The job is still running in another process, so the clock waits.
    if (next && next <= this.now()) return false;
    const step = next ? next.getTime() - this.#base.now().getTime() : Infinity;
    const offset = Math.min(step, position.target);
    await writePosition(this.#db, storedValue, { ...position, offset });
    this.#offset = (await readPosition(this.#db)).position.offset;
    return true;
  }
}

/** Moves the target of the sandbox clock ahead by calendar days of Paris; returns the new target. */
export async function advanceSandbox(
  db: Database,
  days: number,
  base = systemClock,
): Promise<Date> {
  for (;;) {
    const { position, storedValue } = await readPosition(db);
    const now = base.now().getTime();
    const goal = addDuration(new Date(now + position.target), days, "day");
    if (await writePosition(db, storedValue, { ...position, target: goal.getTime() - now }))
      return goal;
  }
}

async function readPosition(
  db: Database,
): Promise<{ position: Position; storedValue: string | null }> {
  const row = await db
    .selectFrom("setting")
    .select("value")
    .where("name", "=", SETTING)
    .executeTakeFirst();
  if (!row) return { position: { offset: 0, target: 0 }, storedValue: null };
  return { position: position.parse(JSON.parse(row.value)), storedValue: row.value };
}

/** Writes the position; false when another process changed it in between. */
async function writePosition(
  db: Database,
  storedValue: string | null,
  position: Position,
): Promise<boolean> {
  const value = JSON.stringify(position);
  const changed =
    storedValue === null
      ? db
          .insertInto("setting")
          .values({ name: SETTING, value })
          .onConflict((conflict) => conflict.column("name").doNothing())
          .returning("name")
      : db
          .updateTable("setting")
          .set({ value })
          .where("name", "=", SETTING)
          .where("value", "=", storedValue)
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
