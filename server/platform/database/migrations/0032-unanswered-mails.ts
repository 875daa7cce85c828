import { sql, type Kysely } from "kysely";

/** Mails that a server took without saying so, and mails that are not tried any more. */
export async function up(db: Kysely<unknown>) {
  const mail = db.schema.alterTable("mail");
  await mail
    .addColumn("unanswered", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await mail.addColumn("given_up_at", "text").execute();
  // Until now the text of a mail that was never sent was deleted without a mark.
  await sql`update mail set given_up_at = created_at where sent_at is null and text = ''`.execute(
    db,
  );
}
