import type { Database } from "../database/tables";
import { MINUTE_MS } from "../ports/durations";

/** The last first answers that count. */
const COUNTED = 30;
/** With fewer, one quick answer or one slow week would be told as what is usual. */
const FEWEST = 10;

/**
 * How long the first answer to a discussion usually takes, in minutes: the median of the last ones, so that half of
 * them came within it. Null while there are too few.
 */
export async function readAnswerMinutes(db: Database): Promise<number | null> {
  const rows = await db
    .selectFrom("ticket")
    .select(["created_at", "first_answered_at"])
    .where("type", "=", "coaching")
    .where("first_answered_at", "is not", null)
    .orderBy("first_answered_at", "desc")
    .limit(COUNTED)
    .execute();
  if (rows.length < FEWEST) return null;
  const waits = rows
    .map((row) => Date.parse(row.first_answered_at ?? "") - Date.parse(row.created_at))
    .sort((a, b) => a - b);
  // Of an even number, the longer one of the two in the middle.
  const median = waits[Math.floor(waits.length / 2)] ?? 0;
  return Math.max(1, Math.ceil(median / MINUTE_MS));
}
