import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "./tables";

/** Who asks whether the site is ready waits two seconds. */
const ANSWER_MS = 1_500;

/** Asks the database whether it answers. Rejects with the reason when it does not, or not in time. */
export type Probe = {
  read(): Promise<void>;
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
    close: async () => {},
  };
}
