import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Migrator, sql, type Migration } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { TICKET_STATUSES } from "~/contract/ticket-status";
import { openDatabase } from "../../server/platform/database/connection";
import type { Database } from "../../server/platform/database/tables";
import { FakeClock } from "../../server/platform/ports/clock";
import { onEachDatabase, postgresPlace, type OpenPlatform } from "../support/platform";
import { DAY_MS, passDays } from "./life";

const FOLDER = "server/platform/database/migrations";

/** The statuses of tickets that releases have stored. One that is renamed needs a migration of its rows. */
const STORED_STATUSES = ["new", "waiting", "pending", "closed", "locked"];

type Sold = {
  uid: string;
  startedDaysAgo: number;
  trialEndsInDays: number;
  declined?: number;
};

/** Dates count from the machine's own clock, as migrations do. */
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

async function readMigrations() {
  const names = readdirSync(FOLDER).map((file) => basename(file, ".ts"));
  const modules = names.map(async (name): Promise<[string, Migration]> => [
    name,
    await import(`../../server/platform/database/migrations/${name}.ts`),
  ]);
  return Object.fromEntries(await Promise.all(modules));
}

onEachDatabase("data before the migration", (open) => {
  /** The platform of today on a database as it stood before a migration, with what was sold then. */
  async function upgraded(
    open: OpenPlatform,
    last: string,
    sold: Sold[],
    noticedDaysAgo?: number,
    fill?: (db: Database) => Promise<void>,
  ) {
    const isPostgres = expect.getState().currentTestName?.includes("PostgreSQL");
    const { options, remove } = isPostgres ? await postgresPlace() : folder();
    onTestFinished(remove);
    const db = await openDatabase(options);
    const migrations = await readMigrations();
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const { error } = await migrator.migrateTo(last);
    if (error) throw error;
    await sql`insert into formula (uid, name, amount, period_duration, period_duration_unit)
      values ('f', 'VIP', 990, 1, 'month')`.execute(db);
    for (const one of sold) {
      const { uid, startedDaysAgo, trialEndsInDays, declined = 0 } = one;
      const at = inDays(-startedDaysAgo);
      // Once: a millisecond between two would make it a contract that was renewed.
      const ends = inDays(trialEndsInDays);
      const email = `${uid}@exemple.fr`;
      await sql`insert into account (uid, identifier, identifier_key, formula_uid, metadata,
          metadata_modified_at, status, created_at)
        values (${uid}, ${email}, ${email}, 'f', '{}', ${at}, 'active', ${at})`.execute(db);
      await sql`insert into payment (uid, account_uid, formula_uid, kind, amount, cashback, status,
          created_at)
        values (${`paid-${uid}`}, ${uid}, 'f', 'first', 100, 0, 'success', ${at})`.execute(db);
      await sql`insert into subscription (uid, account_uid, formula_uid, payment_uid, amount,
          trial_amount, started_at, activates_at, expires_at, renewal_attempts, anchor_at,
          period_duration, period_duration_unit)
        values (${`sub-${uid}`}, ${uid}, 'f', ${`paid-${uid}`}, 990, 100, ${at}, ${at},
          ${ends}, ${declined}, ${ends}, 1, 'month')`.execute(db);
      if (noticedDaysAgo === undefined) continue;
      await sql`insert into contract_notice (uid, kind, name, email, received_at, subscription_uid,
          undo_hash, undo_until)
        values (${`notice-${uid}`}, 'withdrawal', 'Ada', ${email}, ${inDays(-noticedDaysAgo)},
          ${`sub-${uid}`}, ${`hash-${uid}`}, ${inDays(30 - noticedDaysAgo)})`.execute(db);
    }
    await fill?.(db);
    await db.destroy();
    return open({ ...options, contentDir: "server/content", clock: new FakeClock(inDays(0)) });
  }

  it("has its withdrawals stop the billing and refunded", async () => {
    const sold = [{ uid: "lea", startedDaysAgo: 4, trialEndsInDays: 5 }];
    const platform = await upgraded(open, "0011-support", sold, 3);
    const subscription = () =>
      platform.database.selectFrom("subscription").selectAll().executeTakeFirstOrThrow();
    const notice = platform.database.selectFrom("contract_notice").selectAll();
    const { received_at, stops_at, undo_until } = await notice.executeTakeFirstOrThrow();
    const week = new Date(Date.parse(received_at) + 7 * DAY_MS).toISOString();
    expect([stops_at, undo_until]).toEqual([received_at, week]);
    expect(await subscription()).toMatchObject({ cancelled_at: received_at, withdrawn_at: null });
    await passDays(platform, 3.5);
    expect(await platform.database.selectFrom("refund").selectAll().execute()).toEqual([]);
    await passDays(platform, 1);
    expect((await subscription()).withdrawn_at).not.toBeNull();
    expect(await platform.database.selectFrom("refund").selectAll().execute()).toMatchObject([
      { payment_uid: "paid-lea", amount: 100 },
    ]);
  });

  it("keeps withdrawals with expired links unchanged", async () => {
    const sold = [{ uid: "lea", startedDaysAgo: 40, trialEndsInDays: 5 }];
    const platform = await upgraded(open, "0011-support", sold, 35);
    await passDays(platform, 1);
    expect(await platform.database.selectFrom("refund").selectAll().execute()).toEqual([]);
  });

  it("has its tickets in statuses of today", async () => {
    const platform = await upgraded(open, "0041-catch-up", [], undefined, async (db) => {
      for (const status of STORED_STATUSES) {
        await sql`insert into ticket (uid, type, title, status, name, email, email_key, last_at,
            excerpt, version, last_seq, message_count, last_coach_seq, person_read_seq, created_at)
          values (${status}, 'contact', 'Titre', ${status}, 'Ada', 'ada@exemple.fr',
            'ada@exemple.fr', ${inDays(-1)}, '', 1, 1, 1, 0, 1, ${inDays(-1)})`.execute(db);
        await sql`insert into ticket_count (type, status, count) values ('contact', ${status}, 1)
          on conflict do nothing`.execute(db);
      }
    });
    const statuses: readonly string[] = TICKET_STATUSES;
    for (const table of ["ticket", "ticket_count"] as const) {
      const rows = await platform.database.selectFrom(table).select("status").execute();
      expect(rows.length).toBeGreaterThanOrEqual(STORED_STATUSES.length);
      expect(rows.filter(({ status }) => !statuses.includes(status))).toEqual([]);
    }
  });

  it("has its articles in every list", async () => {
    const platform = await upgraded(open, "0041-catch-up", [], undefined, async (db) => {
      await sql`insert into author (uid, name, sort_name, biography, position)
        values ('zoe', 'Zoé', 'zoe', '', 1), ('abel', 'Abel', 'abel', '', 2)`.execute(db);
      await sql`insert into category (uid, name, position) values ('old', 'Old', 1)`.execute(db);
      await sql`insert into tag (uid, name, position) values ('moon', 'Moon', 1)`.execute(db);
      for (const [uid, author, day] of ["x zoe 1", "y abel 2", "z zoe 3"].map((row) =>
        row.split(" "),
      )) {
        await sql`insert into article (uid, title, summary, date, author_uid, category_uid, restricted,
            opening, remainder, reading_minutes, menu)
          values (${uid}, 'Titre', '', ${`2026-01-0${day}`}, ${author}, 'old', 0, '', '', 1, 0)`.execute(
          db,
        );
        await sql`insert into article_tag (article_uid, tag_uid, position)
          values (${uid}, 'moon', 0)`.execute(db);
      }
    });
    const list = async (query: string) => {
      const { body } = await platform.call(`GET /content/articles?${query}`);
      return body.payload.map(({ uid }: { uid: string }) => uid).join("");
    };
    expect(await list("tag=moon")).toBe("zyx");
    expect(await list("tag=moon&author=zoe&category=old")).toBe("zx");
    expect(await list("category=old&sort[author]=asc")).toBe("yzx");
  });

  it("has its long trials announced two months ahead", async () => {
    const platform = await upgraded(open, "0039-archived-mail-state", [
      { uid: "long", startedDaysAgo: 30, trialEndsInDays: 90 },
      { uid: "short", startedDaysAgo: 20, trialEndsInDays: 62 },
    ]);
    await platform.database.updateTable("subscription").set({ card_reference: "kept" }).execute();
    await passDays(platform, 31);
    const announced = platform.database.selectFrom("mail").select("recipient");
    expect(await announced.where("key", "like", "renewal-notice:%").execute()).toEqual([
      { recipient: "long@exemple.fr" },
    ]);
  });

  it("has its running trials announced", async () => {
    const platform = await upgraded(open, "0014-origins", [
      { uid: "trying", startedDaysAgo: 4, trialEndsInDays: 3 },
      { uid: "over", startedDaysAgo: 8, trialEndsInDays: -1 },
      { uid: "declined", startedDaysAgo: 8, trialEndsInDays: 1, declined: 1 },
    ]);
    const announced = await platform.database
      .selectFrom("job")
      .select("key")
      .where("kind", "=", "subscription.trial-notice")
      .execute();
    expect(announced).toEqual([{ key: "subscription.trial-notice:sub-trying" }]);
  });
});

function folder() {
  const dataDir = mkdtempSync(join(tmpdir(), "cap-celeste-"));
  return { options: { dataDir }, remove: async () => rmSync(dataDir, { recursive: true }) };
}
