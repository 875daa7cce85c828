import { sql, type Kysely } from "kysely";

/**
 * Until now one column told when a withdrawal took effect and when somebody confirmed it, and all the
 * withdrawals of a contract got it together. Of those, nobody confirmed
 * - any, when the first of them took effect because its time was over;
 * - those sent without signing in, when the signed-in owner's own one took effect;
 * - one that an earlier one covers.
 *
 * Where several links lay open, it is not known which one was used: all keep their time.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("contract_notice").addColumn("settled_at", "text").execute();
  await sql`update contract_notice set settled_at = confirmed_at`.execute(db);
  await sql`
    update contract_notice set confirmed_at = null
    where settled_at is not null and (
      repeats_uid is not null
      or exists (
        select 1 from contract_notice overdue
        where overdue.subscription_uid = contract_notice.subscription_uid
          and overdue.settled_at = contract_notice.settled_at
          and overdue.settled_at >= overdue.undo_until)
      or undo_hash is not null and exists (
        select 1 from contract_notice own
        where own.subscription_uid = contract_notice.subscription_uid
          and own.settled_at = contract_notice.settled_at
          and own.undo_hash is null and own.repeats_uid is null))`.execute(db);
}
