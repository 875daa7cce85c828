import { sql, type Kysely } from "kysely";

/** Renewals, stops, ends; what was sold before goes on under its terms. */
export async function up(db: Kysely<unknown>) {
  await widenSubscriptions(db);
  await db.schema.alterTable("contract_notice").addColumn("confirmed_at", "text").execute();
  await db.schema.alterTable("contract_notice").addColumn("origin", "text").execute();
  await db.schema
    .createIndex("contract_notice_by_date")
    .on("contract_notice")
    .column("received_at")
    .execute();
  await db.schema
    .createIndex("payment_by_subscription")
    .on("payment")
    .column("subscription_uid")
    .execute();
  await db.schema.createIndex("mail_by_recipient").on("mail").column("recipient").execute();
  await renewKnown(db);
}

async function widenSubscriptions(db: Kysely<unknown>) {
  const table = () => db.schema.alterTable("subscription");
  await table().addColumn("anchor_at", "text").execute();
  await table().addColumn("period_duration", "integer").execute();
  await table().addColumn("period_duration_unit", "text").execute();
}

/** Subscriptions of before the renewals: their terms, and the job at the end of what is paid. */
async function renewKnown(db: Kysely<unknown>) {
  const term = (name: string) =>
    sql`(select ${sql.ref(name)} from formula where formula.uid = subscription.formula_uid)`;
  await sql`update subscription set
    anchor_at = case when trial_amount is null then started_at else expires_at end,
    period_duration = ${term("period_duration")},
    period_duration_unit = ${term("period_duration_unit")}`.execute(db);
  await sql`insert into job (uid, kind, key, payload, run_at, attempts)
    select uid, 'subscription.renew', 'subscription.renew:' || uid || ':' || expires_at || ':0',
      '{"subscriptionUid":"' || uid || '","due":"' || expires_at || '","attempt":0}', expires_at, 0
    from subscription where ended_at is null`.execute(db);
}
