import { sql, type Migration } from "kysely";
import { expect, it } from "vitest";
import * as periods from "../../server/platform/database/migrations/0018-paid-periods";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { subscriber, subscriptionOf } from "./life";
import type { Person } from "./funnel";

const migration: Migration = periods;
const MONTHS = ["2026-11-27", "2026-12-27", "2027-01-27"].map((day) => `${day}T10:00:00.000Z`);

onEachDatabase("payments before the migration", (open) => {
  async function undo({ database }: TestPlatform) {
    for (const column of ["covers_from", "covers_until"]) {
      await database.schema.alterTable("payment").dropColumn(column).execute();
    }
  }

  /** Renewals at the given days; what was paid for the last one came too late. */
  async function renew({ database }: TestPlatform, { uid }: Person, subscription: string) {
    for (const [at, due] of MONTHS.entries()) {
      await sql`insert into payment (uid, account_uid, formula_uid, kind, amount, cashback, status,
          created_at, subscription_uid, period_start)
        values (${`renewal-${at}`}, ${uid}, 'vip-mensuel', 'renewal', 990, 0, 'success', ${due},
          ${subscription}, ${due})`.execute(database);
    }
    await sql`insert into refund (uid, payment_uid, amount, status, created_at)
      values ('r', 'renewal-2', 990, 'success', ${MONTHS[2]})`.execute(database);
    await sql`update subscription set expires_at = ${MONTHS[2]}`.execute(database);
  }

  it("cover the paid days", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid, started_at } = await subscriptionOf(platform, person);
    await undo(platform);
    await renew(platform, person, uid);
    await migration.up(platform.database);
    const payments = await platform.database
      .selectFrom("payment")
      .select(["covers_from", "covers_until"])
      .orderBy("created_at")
      .execute();
    expect(payments.map((payment) => Object.values(payment))).toEqual([
      [started_at, MONTHS[0]],
      [MONTHS[0], MONTHS[1]],
      [MONTHS[1], MONTHS[2]],
      [null, null],
    ]);
  });

  it("cover the rest of a trial", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await undo(platform);
    await migration.up(platform.database);
    const { started_at, expires_at } = await subscriptionOf(platform, person);
    const payments = await platform.database.selectFrom("payment").selectAll().execute();
    expect(payments).toMatchObject([{ covers_from: started_at, covers_until: expires_at }]);
  });
});
