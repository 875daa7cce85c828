import { sql, type Migration } from "kysely";
import { expect, it } from "vitest";
import * as ordered from "../../server/platform/database/migrations/0047-ordered-refunds";
import type { Database } from "../../server/platform/database/tables";
import { onEachDatabase } from "../support/platform";
import { movements } from "./funnel";
import { passDays, subscriber } from "./life";

const migration: Migration = ordered;

/** The tables as they stood before: one refund a payment at the sandbox bank, ordered by nobody. */
async function undo(db: Database) {
  await sql`drop index refund_one_per_reason`.execute(db);
  await db.schema.alterTable("refund").dropColumn("ordered_by").execute();
  await db.schema.alterTable("refund").dropColumn("reason").execute();
  const rows = await db.selectFrom("bank_movement").selectAll().execute();
  await db.schema.dropTable("bank_movement").execute();
  await db.schema
    .createTable("bank_movement")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("reference", "text", (c) => c.notNull())
    .addColumn("at", "text", (c) => c.notNull())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("amount", "integer", (c) => c.notNull())
    .addColumn("currency", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addUniqueConstraint("bank_movement_once", ["reference", "kind"])
    .execute();
  await db.insertInto("bank_movement").values(rows).execute();
}

onEachDatabase("a database before ordered refunds", (open) => {
  it("keeps its movements, and takes several refunds since", async () => {
    const platform = await open();
    const { database: db } = platform;
    const { email, token } = await subscriber(platform);
    const body = { name: "Ada Byron", email };
    await platform.call("POST /withdrawals", { token, body });
    await passDays(platform, 1);
    const before = await movements(platform);
    expect(before.map(({ kind }) => kind).sort()).toEqual(["charge", "refund"]);
    await undo(db);
    await migration.up(db);
    expect(await movements(platform)).toEqual(before);
    expect(await db.selectFrom("refund").selectAll().execute()).toMatchObject([
      { status: "success", made_by: "platform", ordered_by: null, reason: null },
    ]);
    const [charge] = before.filter(({ kind }) => kind === "charge");
    if (!charge) throw new Error("Nothing was charged");
    const add = (uid: string, kind: "charge" | "refund") =>
      db
        .insertInto("bank_movement")
        .values({ ...charge, uid, kind })
        .execute();
    await add("another", "refund");
    await expect(add("twice", "charge")).rejects.toThrow(/unique/i);
  });
});
