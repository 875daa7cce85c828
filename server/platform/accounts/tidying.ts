import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import { knownSince } from "./known-address";
import { liveSince } from "./session-life";
import type { World } from "./world";

/** Kind of the job that removes, once a day, what accounts do not need any more. */
export const TIDYING = "account.tidy";

const DAY_MS = 24 * 3_600_000;

/** At the next midnight, once, and from then on each day while there is anything left. */
export async function scheduleTidying(db: Database, now: Date) {
  const runAt = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + DAY_MS);
  const key = `${TIDYING}:${runAt.toISOString()}`;
  await enqueue(db, { kind: TIDYING, key, payload: {}, runAt });
}

/** Sessions that are over, addresses unused for long, links and requests past their time. */
export async function tidyAccounts({ db, clock }: Pick<World, "db" | "clock">) {
  const now = clock.now();
  await db.deleteFrom("account_session").where("ended_at", "is not", null).execute();
  await db.deleteFrom("account_session").where("last_seen_at", "<=", liveSince(now)).execute();
  await db.deleteFrom("account_address").where("seen_at", "<=", knownSince(now)).execute();
  await db.deleteFrom("password_reset").where("expires_at", "<=", now.toISOString()).execute();
  await db.deleteFrom("address_release").where("expires_at", "<=", now.toISOString()).execute();
  const yesterday = new Date(now.getTime() - DAY_MS).toISOString();
  await db.deleteFrom("password_reset_request").where("requested_at", "<=", yesterday).execute();
  if (await isAnythingLeft(db)) await scheduleTidying(db, now);
}

async function isAnythingLeft(db: Database) {
  const { left } = await db
    .selectNoFrom((e) =>
      e
        .or([
          e.exists(e.selectFrom("account_session").select("uid")),
          e.exists(e.selectFrom("account_address").select("address_key")),
          e.exists(e.selectFrom("password_reset").select("uid")),
          e.exists(e.selectFrom("password_reset_request").select("uid")),
          e.exists(e.selectFrom("address_release").select("uid")),
        ])
        .as("left"),
    )
    .executeTakeFirstOrThrow();
  return Boolean(left);
}
