import { z } from "zod/v4";
import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import type { Workers } from "../jobs/runner";
import type { LimitRule } from "./rules";

const PURGE = "limits.purge";
const DAY_MS = 24 * 3_600_000;

const work = z.object({ before: z.string(), scope: z.string() });

/** The events of a day are removed once the last of them has left the window: they hold addresses. */
export async function schedulePurge(db: Database, now: Date, { scope, windowMs }: LimitRule) {
  const day = now.toISOString().slice(0, "2026-01-01".length);
  const dayEnd = Date.parse(day) + DAY_MS;
  await enqueue(db, {
    kind: PURGE,
    key: `${PURGE}:${scope}:${day}`,
    payload: { scope, before: new Date(dayEnd).toISOString() },
    runAt: new Date(dayEnd + windowMs),
  });
}

export const limitWorkers = (db: Database): Workers => ({
  [PURGE]: async (payload) => {
    const { scope, before } = work.parse(payload);
    await db
      .deleteFrom("limited_event")
      .where("scope", "like", `${scope}%`)
      .where("at", "<", before)
      .execute();
  },
});
