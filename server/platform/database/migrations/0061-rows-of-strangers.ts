import { sql, type Kysely } from "kysely";

/**
 * Anybody can add accounts, notices and mails, as many as the limits let through. With these indexes nothing that is
 * done for one person reads those of all the others.
 */
export async function up(db: Kysely<unknown>) {
  // What repeats a notice, or is covered by it, and which notices share the slot of a mail.
  await sql`create index contract_notice_by_repeated on contract_notice (repeats_uid)
    where repeats_uid is not null`.execute(db);
  await sql`create index contract_notice_by_slot on contract_notice (mail_slot)
    where mail_slot is not null`.execute(db);
  await sql`create index contract_notice_by_sender on contract_notice (sender_key)
    where sender_key is not null`.execute(db);
  // Senders that the purge has still to forget.
  await sql`create index contract_notice_by_known_sender on contract_notice (received_at)
    where signed_in = 0 and sender_key is not null and sender_key <> ''`.execute(db);
  // Covered notices change nothing, and there may be very many of one contract.
  await sql`create index contract_notice_with_effect on contract_notice
    (subscription_uid, received_at, uid)
    where stops_at is not null or undo_hash is not null`.execute(db);
  await sql`create index contract_notice_by_stop on contract_notice (subscription_uid, stops_at)
    where stops_at is not null`.execute(db);

  await sql`create index mail_by_any_case on mail (lower(recipient), created_at)`.execute(db);
  await sql`create index mail_unsent on mail (created_at)
    where sent_at is null and text <> ''`.execute(db);

  // The last use, in the words of the purge of accounts.
  await sql`create index account_by_last_use on account
    ((case when last_visit_at > coalesce(last_sign_in_at, created_at)
      then last_visit_at else coalesce(last_sign_in_at, created_at) end))
    where status = 'active'`.execute(db);
  await sql`create index account_by_announcement on account (deletion_announced_at)
    where deletion_announced_at is not null`.execute(db);
  await sql`create index account_deleted on account (uid) where status = 'deleted'`.execute(db);
}
