import { sql, type Kysely } from "kysely";

/**
 * What a person tells of their birth when they open a discussion, when each ticket got its first answer, and
 * indexes for the last of these answers and for who waits longest.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("ticket").addColumn("birth", "text").execute();
  await db.schema.alterTable("ticket").addColumn("first_answered_at", "text").execute();
  await sql`
    update ticket set first_answered_at = (
      select created_at from ticket_message
      where ticket_uid = ticket.uid and author = 'coach' and internal = 0
      order by seq limit 1
    )
    where last_coach_seq > 0
  `.execute(db);
  await db.schema
    .createIndex("ticket_by_first_answer")
    .on("ticket")
    .columns(["type", "first_answered_at"])
    .where(sql.ref("first_answered_at"), "is not", null)
    .execute();
  await db.schema
    .createIndex("ticket_by_wait")
    .on("ticket")
    .columns(["type", "status", "waiting_since"])
    .where(sql.ref("waiting_since"), "is not", null)
    .execute();
}
