import { sql, type Kysely } from "kysely";

/** Why a renewal was refused, when cards expire, and announcements for the trials under way. */
export async function up(db: Kysely<unknown>) {
  const subscription = () => db.schema.alterTable("subscription");
  await subscription().addColumn("renewal_needs", "text").execute();
  await subscription().addColumn("card_expiry", "text").execute();
  await db.schema.alterTable("bank_page").addColumn("card_expiry", "text").execute();
  await db.schema.alterTable("bank_card").addColumn("expiry", "text").execute();
  await announceTrials(db);
}

/** At once, for people who bought before there were announcements: the debit may be days away, not past. */
async function announceTrials(db: Kysely<unknown>) {
  const now = new Date().toISOString();
  await sql`insert into job (uid, kind, key, payload, run_at, attempts)
    select 'trial-notice:' || uid, 'subscription.trial-notice',
      'subscription.trial-notice:' || uid,
      '{"subscriptionUid":"' || uid || '","due":"' || expires_at || '"}', started_at, 0
    from subscription
    where ended_at is null and cancelled_at is null and period_start is null
      and trial_amount is not null and renewal_attempts = 0 and expires_at > ${now}`.execute(db);
}
