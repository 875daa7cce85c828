import type { Kysely } from "kysely";

/** Another e-mail that was asked for with the password, until the link mailed to it is used: one of an account. */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable("email_change")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("account_uid", "text", (c) => c.notNull().unique().references("account.uid"))
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("secret_hash", "text", (c) => c.unique())
    .addColumn("origin", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("expires_at", "text", (c) => c.notNull())
    .execute();
}
