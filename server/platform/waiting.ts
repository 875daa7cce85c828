import { MAX_SLOW_RETRY_MS } from "./jobs/queue";
import type { Workers } from "./jobs/runner";
import type { Mails } from "./mail";
import { SEND_MAIL } from "./mail/outbox";
import type { Clock } from "./ports/clock";
import type { Database } from "./database/tables";

/** Work that waits, counted to a bound. `oldestSeconds`: 0 when nothing waits. */
export type Waiting = {
  lanes: { lane: string; due: number; oldestSeconds: number }[];
  /** `failing`: those that were tried already. `areStopped`: none went out of this process when it last tried. */
  mails: { waiting: number; failing: number; oldestSeconds: number; areStopped: boolean };
};

/** Rows that are read of each kind: whoever looks every few seconds must not read a long queue each time. */
const MAX_ROWS = 2_000;
/** Waiting mails among which the oldest is sought. They are tried again within six hours, in any order. */
const MAX_MAILS = 500;

type Options = {
  db: Database;
  clock: Clock;
  lanes: Record<string, Workers>;
  mails: Pick<Mails, "areStopped">;
};

/** Reads what is due, and the mails that are tried again, by the index on unfinished jobs. */
export async function readWaiting({ db, clock, lanes, mails }: Options): Promise<Waiting> {
  const now = clock.now();
  const due = await unfinished(db).where("run_at", "<=", now.toISOString()).execute();
  const tried = await unfinished(db)
    .where("run_at", ">", now.toISOString())
    .where("run_at", "<=", new Date(now.getTime() + MAX_SLOW_RETRY_MS).toISOString())
    .where("attempts", ">", 0)
    .execute();
  const since = (time: string | undefined) =>
    time === undefined ? 0 : Math.max(0, (now.getTime() - Date.parse(time)) / 1000);
  const unsent = [...due, ...tried].filter(({ kind }) => kind === SEND_MAIL);
  return {
    lanes: Object.entries(lanes).map(([lane, workers]) => {
      const own = due.filter(({ kind }) => kind in workers);
      return { lane, due: own.length, oldestSeconds: since(own[0]?.run_at) };
    }),
    mails: {
      waiting: unsent.length,
      failing: unsent.filter(({ error }) => error !== null).length,
      oldestSeconds: since(await findOldest(db, unsent.map(uidOfMail))),
      areStopped: mails.areStopped(),
    },
  };
}

const unfinished = (db: Database) =>
  db
    .selectFrom("job")
    .select(["kind", "key", "run_at", "error"])
    .where("done_at", "is", null)
    .orderBy("run_at")
    .limit(MAX_ROWS);

const uidOfMail = ({ key }: { key: string | null }) => key?.slice(`${SEND_MAIL}:`.length) ?? "";

/** When the mail that waits longest was to be sent first. Uids are in the order in which mails were written. */
async function findOldest(db: Database, uids: string[]): Promise<string | undefined> {
  if (uids.length === 0) return undefined;
  const { oldest } = await db
    .selectFrom("mail")
    .select((e) => e.fn.min("created_at").as("oldest"))
    .where("uid", "in", uids.sort().slice(0, MAX_MAILS))
    .executeTakeFirstOrThrow();
  return oldest ?? undefined;
}
