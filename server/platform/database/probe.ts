import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "./tables";

/** Who asks whether the site is ready waits two seconds. */
const ANSWER_MS = 1_500;

/** Asks the database whether it answers. Rejects with the reason when it does not, or not in time. */
export type Probe = {
  read(): Promise<void>;
  /** Writes some, too. */
  write(): Promise<void>;
  close(): Promise<void>;
};

export function createProbe(database: Database): Probe {
  const soon = async (work: Promise<unknown>) => {
    const silence = pause(ANSWER_MS, "silence", { ref: false });
    if ((await Promise.race([work, silence])) === "silence") {
      throw new Error(`no answer within ${ANSWER_MS} ms`);
    }
  };
  return {
    read: () => soon(sql`select 1`.execute(database)),
    write: () => soon(writeSome(database)),
    close: async () => {},
  };
}

const NAME = "probe";
/** Many pages of a file: a full disk may have room for one. */
const BYTES = 64 * 1024;

async function writeSome(db: Database) {
  // Random bytes cannot be compressed.
  const value = randomBytes(BYTES).toString("base64");
  await db
    .insertInto("setting")
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
  await db.deleteFrom("setting").where("name", "=", NAME).execute();
}
