import { sql, type Kysely } from "kysely";

/** Refunds that an operator orders, with who ordered them and why; a payment may go back in parts. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("refund").addColumn("ordered_by", "text").execute();
  await db.schema.alterTable("refund").addColumn("reason", "text").execute();
  // A command that is run twice must not give the money back twice.
  await db.schema
    .createIndex("refund_one_per_reason")
    .unique()
    .on("refund")
    .columns(["payment_uid", "reason"])
    .where(sql.ref("reason"), "is not", null)
    .execute();
  await rebuildMovements(db);
}

/** The sandbox bank took one refund a payment. Only the charge of a payment is unique now. */
async function rebuildMovements(db: Kysely<unknown>) {
  await db.schema
    .createTable("bank_movement_rebuilt")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("reference", "text", (c) => c.notNull())
    .addColumn("at", "text", (c) => c.notNull())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("amount", "integer", (c) => c.notNull())
    .addColumn("currency", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .execute();
  await sql`insert into bank_movement_rebuilt
      (uid, reference, at, email, kind, amount, currency, status)
    select uid, reference, at, email, kind, amount, currency, status from bank_movement`.execute(
    db,
  );
  await db.schema.dropTable("bank_movement").execute();
  await db.schema.alterTable("bank_movement_rebuilt").renameTo("bank_movement").execute();
  await db.schema
    .createIndex("bank_movement_one_charge")
    .unique()
    .on("bank_movement")
    .column("reference")
    .where(sql.ref("kind"), "=", "charge")
    .execute();
  await db.schema
    .createIndex("bank_movement_by_reference")
    .on("bank_movement")
    .column("reference")
    .execute();
}
