import { dayOf } from "../../../app/contract/day";
import type { Clock } from "../ports/clock";
import { newUid } from "../ports/ids";
import { isDatabaseUnavailable } from "./unavailable";
import type { Log } from "../ports/log";
import type { Database } from "./tables";

const SETTING = "content_revision";
/** A change by another process shows within two seconds: one to see it, one to spare. */
const POLL_MS = 1_000;

/** Says, in the caller's transaction, that public pages may show something else from now on. */
export async function reviseContent(db: Database) {
  const value = newUid();
  await db
    .insertInto("setting")
    .values({ name: SETTING, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

export type ContentRevision = {
  /** Changes with each change of what public pages show. */
  current(): string;
  /** Reads it now, because this process may have changed it. */
  refresh(): Promise<void>;
  /** Reads it regularly, because other processes may change it. */
  follow(): void;
  stop(): void;
};

type Options = { db: Database; clock: Clock; log: Log };

/**
 * The revision as last read: caches compare it at every request, which must not cost a query. The day in
 * Paris is a part of it: an offer names the date of its next debit, and terms count from the start of a day.
 */
export function contentRevision({ db, clock, log }: Options): ContentRevision {
  let known = "";
  let timer: NodeJS.Timeout | undefined;
  const refresh = async () => {
    const row = await db
      .selectFrom("setting")
      .select("value")
      .where("name", "=", SETTING)
      .executeTakeFirst();
    known = `${row?.value ?? ""} ${dayOf(clock.now())}`;
  };
  let isFailing = false;
  const poll = () =>
    void refresh().then(
      () => (isFailing = false),
      (error: unknown) => {
        if (isFailing) return;
        // The log tells an outage once by itself, and the next fault may be another.
        isFailing = !isDatabaseUnavailable(error);
        log.error(
          { err: error },
          "the revision of the content cannot be read: pages stay as they are",
        );
      },
    );
  return {
    current: () => known,
    refresh,
    follow: () => void (timer ??= setInterval(poll, POLL_MS).unref()),
    stop: () => clearInterval(timer),
  };
}
