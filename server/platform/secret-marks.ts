import { z } from "zod/v4";
import { DAY_MS } from "./ports/durations";
import type { Database } from "./database/tables";
import type { Clock } from "./ports/clock";
import { deriveKeys } from "./ports/keys";
import type { Log } from "./ports/log";

type Options = { db: Database; clock: Clock; log: Log; secrets: readonly string[] };

/** Name of the setting that stores the marks. */
export const SECRET_MARKS = "secrets.marks";

/**
 * Longer than the withdrawal period, in which the contract of an erased account is found by a keyed
 * hash.
 */
const NEEDED_DAYS = 30;

/** `until` is null for the newest secret. */
const marks = z.array(z.object({ mark: z.string(), until: z.string().nullable() }));
type Marks = z.infer<typeof marks>;

/**
 * Warns when a removed secret is still needed for stored hashes. Each secret leaves a mark: a
 * derived key that is used for nothing else and reveals nothing about the secret.
 */
export async function warnOfLostSecret({ db, clock, log, secrets }: Options) {
  const given = deriveKeys(secrets, "mark of a secret").map((key) =>
    Buffer.from(key).toString("base64url"),
  );
  const now = clock.now();
  const known = (await readMarks(db)).filter(
    ({ until }) => until === null || until > now.toISOString(),
  );
  if (known.some(({ mark }) => !given.includes(mark))) {
    log.warn(
      {},
      "SESSION_SECRET has changed: people who deleted their account cannot withdraw any more; give the old secret too, behind a comma",
    );
  }
  const [newest = ""] = given;
  const end = new Date(now.getTime() + NEEDED_DAYS * DAY_MS).toISOString();
  const earlier = known.filter(({ mark }) => mark !== newest);
  await writeMarks(db, [
    { mark: newest, until: null },
    ...earlier.map(({ mark, until }) => ({ mark, until: until ?? end })),
  ]);
}

async function readMarks(db: Database): Promise<Marks> {
  const row = await db
    .selectFrom("setting")
    .select("value")
    .where("name", "=", SECRET_MARKS)
    .executeTakeFirst();
  return row ? marks.parse(JSON.parse(row.value)) : [];
}

async function writeMarks(db: Database, known: Marks) {
  const value = JSON.stringify(known);
  await db
    .insertInto("setting")
    .values({ name: SECRET_MARKS, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
