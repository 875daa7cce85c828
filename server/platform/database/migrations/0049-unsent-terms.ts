import { sql, type Kysely } from "kysely";

/**
 * Until now a changed version of the terms counted for a contract from the date of its mail on, even when that
 * mail was not sent. Contracts that run or are on hold, and whose last announcement was not sent, have their
 * earlier version again, and are told anew. A version that is not announced yet has a job of its own.
 */
export async function up(db: Kysely<unknown>) {
  const contracts = await findUntold(db);
  for (const { uid } of contracts) {
    await sql`update subscription set
        terms_digest = terms_before, terms_apply_at = terms_before_from,
        terms_before = null, terms_before_from = null,
        terms_told_at = ${await findTold(db, uid)}
      where uid = ${uid}`.execute(db);
  }
  await dropMails(db);
  if (contracts.length > 0) await announceAgain(db);
}

/** The contracts whose last mail that announced a version to them was not sent. */
async function findUntold(db: Kysely<unknown>): Promise<{ uid: string }[]> {
  const { rows } = await sql<{ uid: string }>`select subscription.uid as uid
    from subscription join contract_mail told on told.subscription_uid = subscription.uid
    where (subscription.ended_at is null or subscription.ended_by_payment is not null)
      and subscription.terms_told_at is not null
      and subscription.terms_before is not null
      and told.kind = 'terms-changed' and told.sent_at is null
      and not exists (select 1 from contract_mail later
        where later.subscription_uid = subscription.uid
        and later.kind = 'terms-changed'
        and (later.created_at > told.created_at
          or later.created_at = told.created_at and later.uid > told.uid))`.execute(db);
  return rows;
}

/** When an earlier version was announced by a mail that was sent and not taken back since. */
async function findTold(db: Kysely<unknown>, contract: string): Promise<string | null> {
  const { rows } = await sql<{ kind: string; sent_at: string }>`select kind, sent_at
    from contract_mail
    where subscription_uid = ${contract} and sent_at is not null
      and kind in ('terms-changed', 'terms-kept')
    order by created_at desc, uid desc limit 1`.execute(db);
  const [last] = rows;
  return last?.kind === "terms-changed" ? last.sent_at : null;
}

/**
 * Drops what waits in the outbox, whatever its contract: it names a date, and its key is none of those whose
 * sending notes a date at the contract. The archive keeps one that was tried and may have been delivered.
 */
async function dropMails(db: Kysely<unknown>) {
  const { rows } = await sql<{ uid: string; unanswered: number }>`select mail.uid, mail.unanswered
    from mail join contract_mail on contract_mail.uid = mail.uid
    where contract_mail.kind = 'terms-changed'
      and mail.sent_at is null and mail.given_up_at is null`.execute(db);
  for (const { uid, unanswered } of rows) {
    if (unanswered === 0) await sql`delete from contract_mail where uid = ${uid}`.execute(db);
    await sql`delete from mail where uid = ${uid}`.execute(db);
  }
}

async function announceAgain(db: Kysely<unknown>) {
  const { rows } = await sql<{ number: number }>`select number from terms_version
    where announced_at is not null
      and number = (select max(number) from terms_version)`.execute(db);
  for (const { number } of rows) {
    const key = `terms.announce:${number}:unsent`;
    await sql`insert into job (uid, kind, key, payload, run_at, attempts)
      values (${key}, 'terms.announce', ${key}, ${JSON.stringify({ number })},
        ${new Date().toISOString()}, 0)
      on conflict (key) do nothing`.execute(db);
  }
}
