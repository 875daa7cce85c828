import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql, type Migration } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../server/platform/database/connection";
import { migrate } from "../../server/platform/database/migrate";
import type { Database } from "../../server/platform/database/tables";
import * as reversals from "../../server/platform/database/migrations/0017-reversals";
import { postgresPlace } from "../support/platform";

const migration: Migration = reversals;
const engines = process.env.TEST_DATABASE_URL ? ["SQLite", "PostgreSQL"] : ["SQLite"];

async function place(engine: string) {
  if (engine === "PostgreSQL") return postgresPlace();
  const dataDir = mkdtempSync(join(tmpdir(), "cap-celeste-"));
  const remove = async () => rmSync(dataDir, { recursive: true });
  return { options: { dataDir }, remove };
}

/** The tables as they stood before. */
async function undo(db: Database) {
  for (const table of ["payment_claim", "stripe_event", "stripe_customer", "refund"]) {
    await db.schema.dropTable(table).execute();
  }
  await db.schema.alterTable("subscription").dropColumn("ended_by_payment").execute();
  await db.schema
    .createTable("refund")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("payment_uid", "text", (c) => c.notNull().unique())
    .addColumn("amount", "integer", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("settled_at", "text")
    .execute();
}

async function fill(db: Database) {
  const at = "2026-11-20T10:00:00.000Z";
  await sql`insert into account (uid, identifier, identifier_key, formula_uid, metadata,
      metadata_modified_at, status, created_at)
    values ('lea', 'lea@exemple.fr', 'lea@exemple.fr', 'f', '{}', ${at}, 'active', ${at})`.execute(
    db,
  );
  await sql`insert into formula (uid, name, amount, period_duration, period_duration_unit)
    values ('f', 'VIP', 990, 1, 'month')`.execute(db);
  for (const [uid, card] of [
    ["p1", "cus_old/pm_1"],
    ["p2", "cus_new/pm_2"],
    ["p3", null],
  ]) {
    await sql`insert into payment (uid, account_uid, formula_uid, kind, amount, cashback, status,
        card_reference, created_at)
      values (${uid}, 'lea', 'f', 'renewal', 990, 0, 'success', ${card}, ${`2026-11-2${uid?.at(-1)}`})`.execute(
      db,
    );
    await sql`insert into refund (uid, payment_uid, amount, status, created_at)
      values (${`r-${uid}`}, ${uid}, 990, ${uid === "p1" ? "failure" : "success"}, ${at})`.execute(
      db,
    );
  }
}

it.each(engines)("refunds and customers continue after the migration on %s", async (engine) => {
  const { options, remove } = await place(engine);
  const db = await openDatabase(options);
  onTestFinished(async () => {
    await db.destroy();
    await remove();
  });
  await migrate(db);
  await undo(db);
  await fill(db);
  await migration.up(db);
  const refunds = await db.selectFrom("refund").selectAll().orderBy("uid").execute();
  const common = { amount: 990, made_by: "platform", attempt: 1, reference: null };
  expect(refunds).toMatchObject([
    { uid: "r-p1", status: "pending", ...common },
    { uid: "r-p2", status: "success", ...common },
    { uid: "r-p3", status: "success", ...common },
  ]);
  expect(await db.selectFrom("stripe_customer").selectAll().execute()).toMatchObject([
    { account_uid: "lea", customer: "cus_new" },
  ]);
});
