import { sql, type InsertObject } from "kysely";
import { expect, it } from "vitest";
import { isPostgres } from "../../server/platform/database/dialect";
import type { Tables } from "../../server/platform/database/tables";
import { RETENTION } from "../../server/platform/jobs/purges";
import { limit } from "../../server/platform/limits/limit";
import { LOGIN_FAILURES_OF_ADDRESS } from "../../server/platform/limits/rules";
import { REFERRED_ROUNDS, retentionWorkers } from "../../server/platform/retention";
import { ENDS, type Purge } from "../../server/platform/retention/ends";
import { readsOf, statementsOf } from "../support/plans";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { subscriptionContext } from "./context";
import { newPerson } from "./funnel";
import { DAY_MS } from "./life";

/** Tables in which one network can leave tens of thousands of rows a day. */
type Flooded = "limited_event" | "account_session" | "account_address" | "support_link";

type Row = { n: number; at: string; accountUid: string };

const ROWS: { [Table in Flooded]: (row: Row) => InsertObject<Tables, Table> } = {
  limited_event: ({ n, at }) => {
    return { uid: `event ${n}`, scope: LOGIN_FAILURES_OF_ADDRESS.scope, subject: `${n}`, at };
  },
  account_session: ({ n, at, accountUid }) => {
    return { uid: `session ${n}`, account_uid: accountUid, created_at: at, last_seen_at: at };
  },
  account_address: ({ n, at, accountUid }) => {
    return { account_uid: accountUid, address_key: `address ${n}`, seen_at: at };
  },
  support_link: ({ n, at }) => {
    const hash = `link ${n}`;
    return { uid: hash, email_key: `${n}`, secret_hash: hash, created_at: at, expires_at: at };
  },
};

const FLOODED = Object.keys(ROWS) as Flooded[];
const MANY = 2_000;

/** Very many rows, none of which has expired. */
async function flood(platform: TestPlatform, table: Flooded) {
  const { database, clock } = platform;
  const { uid: accountUid } = await newPerson(platform);
  const at = clock.now().toISOString();
  const rows = Array.from({ length: MANY }, (_, n) => ROWS[table]({ n, at, accountUid }));
  for (let from = 0; from < MANY; from += 100) {
    await database
      .insertInto(table)
      .values(rows.slice(from, from + 100))
      .execute();
  }
  if (isPostgres(database)) await sql`analyze`.execute(database);
}

function purgesOf(table: Flooded): readonly Purge[] {
  const end = ENDS[table];
  return "daily" in end ? end.daily : [];
}

onEachDatabase("however many rows have not expired", (open) => {
  it.each(FLOODED)("the purge of %s reads the others", async (table) => {
    const platform = await open();
    await flood(platform, table);
    const context = subscriptionContext(platform);
    expect(purgesOf(table)).not.toEqual([]);
    const { indexes, whole } = await readsOf(platform.database, async (db) => {
      for (const { isDue, run } of purgesOf(table)) {
        if (isDue) await sql`select ${isDue(context)} as due`.execute(db);
        await run({ ...context, db });
      }
    });
    expect(indexes.some((name) => name.startsWith(table))).toBe(true);
    expect(whole.filter((name) => name.startsWith(table))).toEqual([]);
  });

  it("a limit reads the events of its subject", async () => {
    const platform = await open();
    await flood(platform, "limited_event");
    const { database, clock } = platform;
    const { indexes } = await readsOf(database, (db) =>
      db.transaction().execute((within) => limit(within, clock, LOGIN_FAILURES_OF_ADDRESS, "ada")),
    );
    const read = indexes.filter((name) => name.startsWith("limited_event"));
    expect(read).toEqual(["limited_event_by_subject"]);
  });

  it("late rounds look for unfinished tables only", async () => {
    const platform = await open();
    await flood(platform, "limited_event");
    platform.clock.advance(2 * DAY_MS);
    const unfinished = purgesOf("limited_event").map((_, index) => `limited_event ${index}`);
    /** The tables in which a round that is not the last one looks for rows. */
    const searchedIn = async (round: number) => {
      const statements = await statementsOf(platform.database, async (db) => {
        const workers = retentionWorkers({ ...subscriptionContext(platform), db });
        await workers[RETENTION]?.({ round, unfinished });
      });
      const isSearched = (table: string) => {
        const search = new RegExp(`from "?${table}"?\\s+where`);
        return statements.some((statement) => search.test(statement.sql));
      };
      return Object.keys(ENDS).filter(isSearched);
    };
    expect(await searchedIn(REFERRED_ROUNDS)).toEqual(expect.arrayContaining(FLOODED));
    expect(await searchedIn(REFERRED_ROUNDS + 1)).toEqual(["limited_event"]);
  });
});
