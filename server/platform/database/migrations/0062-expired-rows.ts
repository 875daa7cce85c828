import { sql, type Kysely } from "kysely";

/**
 * Anybody can have very many events counted, and sign in to very many accounts. With these indexes the purge reads those that
 * are over, and not the others.
 */
export async function up(db: Kysely<unknown>) {
  // Limits of one window are over at the same time, whoever was counted.
  await sql`create index limited_event_by_scope on limited_event (scope, at)`.execute(db);
  // Events of limits that no longer exist: nobody knows their scopes.
  await sql`create index limited_event_by_time on limited_event (at)`.execute(db);

  await sql`create index account_session_by_last_visit on account_session (last_seen_at)`.execute(
    db,
  );
  await sql`create index account_session_ended on account_session (ended_at)
    where ended_at is not null`.execute(db);
  await sql`create index account_address_by_last_visit on account_address (seen_at)`.execute(db);
}
