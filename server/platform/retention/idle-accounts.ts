import { sql, type RawBuilder } from "kysely";
import { eraseAccount } from "../accounts/deletion";
import { lockActiveAccount } from "../database/account-lock";
import { inTransaction } from "../database/transaction";
import type { Database } from "../database/tables";
import { links } from "../mail/links";
import { sendMail } from "../mail/outbox";
import { findSite } from "../mail/site";
import { HOUR_MS } from "../ports/durations";
import { UNSETTLED_SQL } from "../money/payments";
import { hasPendingNotice } from "../subscriptions/pending-notices";
import { after, isoBefore } from "../ports/age";
import type { RetentionContext } from "./context";
import { scheduleDailyPurge, schedulePurge } from "../jobs/purges";

/** Since the last visit of an account that never paid: its e-mail may be a stranger's. */
export const UNUSED_ACCOUNT = { months: 12 };

/** Since the last visit, or since the end of the last subscription when that is later. */
export const IDLE_ACCOUNT = { years: 3 };

/** Least time between the sending of the mail that announces the deletion of an idle account and the deletion. */
export const IDLE_NOTICE = { months: 1 };

/** The purge may run only once a month, and the mail must go out a month before the deletion. */
const LOOK_AHEAD = { months: 2 };

/** The time from one monthly purge to the next. */
const PURGED_MONTHLY = { months: 1 };

/** Accounts have many dependent rows. */
const BATCH = 50;

/** Most accounts that one purge passes over because they fail or wait. */
const MAX_LEFT = 500;

/**
 * The mail that announced the deletion of an account. If its delivery was given up for another reason than a
 * refused address, it is written again, because the owner has not got it.
 */
const WARNING = sql`select 1 from mail
  where mail.key = 'account-idle:' || account.uid || ':' || account.deletion_announced_at`;

/**
 * The last visit; one session lasts as long as it is used, so that its sign-in may be years before. With
 * `status = 'active'` an index holds it in these words: strangers may register very many accounts.
 */
const LAST_USE = sql`(case when last_visit_at > coalesce(last_sign_in_at, created_at)
  then last_visit_at else coalesce(last_sign_in_at, created_at) end)`;

type Idle = {
  uid: string;
  identifier: string;
  origin: string | null;
  used_at: string;
  ended_at: string | null;
};

/**
 * Erases accounts that never paid and were not used for long, without a mail: their e-mail may be
 * somebody else's. Refused and abandoned payments stay until their own end, without the person.
 */
export async function eraseUnusedAccounts(context: RetentionContext): Promise<boolean> {
  const { db, clock } = context;
  const over = sql`${LAST_USE} <= ${isoBefore(clock, UNUSED_ACCOUNT)}`;
  const find = (others: RawBuilder<unknown>) => findUnused(db, sql`${over} and ${others}`);
  return forEachAccount(context, find, async (within, uid) => {
    const [account] = await findUnused(within.db, sql`${over} and account.uid = ${uid}`);
    if (!account) return true;
    if (await waitsForNotice(within, uid)) return false;
    await eraseAccount(within, uid);
    return true;
  });
}

/**
 * Schedules a purge at the first end of an account that comes before the next monthly one, so that no
 * account stays weeks longer than was said.
 */
export async function scheduleAccountEnds({ db, clock }: RetentionContext): Promise<void> {
  const now = clock.now();
  const nextPurge = { now: () => after(now, PURGED_MONTHLY) };
  const [unused] = await findUnused(
    db,
    sql`${LAST_USE} > ${isoBefore(clock, UNUSED_ACCOUNT)} and ${LAST_USE} <= ${isoBefore(nextPurge, UNUSED_ACCOUNT)}`,
    1,
  );
  const warned = await sql<{ uid: string; told_at: string }>`select account.uid as uid,
      coalesce(mail.sent_at, mail.refused_at) as told_at
    from account join mail
      on mail.key = 'account-idle:' || account.uid || ':' || account.deletion_announced_at
    where account.status = 'active' and account.deletion_announced_at is not null
    and coalesce(mail.sent_at, mail.refused_at)
      > ${isoBefore(clock, IDLE_NOTICE)}
    order by told_at limit 1`.execute(db);
  const [warning] = warned.rows;
  const ends = [
    ...(unused ? [after(new Date(unused.used_at), UNUSED_ACCOUNT)] : []),
    ...(warning ? [after(new Date(warning.told_at), IDLE_NOTICE)] : []),
  ];
  for (const end of ends) {
    if (end > now && end <= after(now, PURGED_MONTHLY)) await scheduleDailyPurge(db, end);
  }
}

/** Announces the deletion of accounts that will soon be idle for three years, once per idle time. */
export async function announceDeletions(context: RetentionContext): Promise<boolean> {
  const { db, clock } = context;
  const now = clock.now();
  const soon = { now: () => after(now, LOOK_AHEAD) };
  const unannounced = sql`(deletion_announced_at is null
    or deletion_announced_at < ${LAST_USE}
    or not exists (${WARNING} and (given_up_at is null or refused_at is not null))
    or exists (select 1 from subscription
      where subscription.account_uid = account.uid
      and subscription.ended_at > account.deletion_announced_at))`;
  const find = (others: RawBuilder<unknown>) =>
    findIdle(db, isoBefore(soon, IDLE_ACCOUNT), sql`${unannounced} and ${others}`);
  return forEachAccount(context, find, async (within, uid) => {
    const own = sql`${unannounced} and account.uid = ${uid}`;
    const [account] = await findIdle(within.db, isoBefore(soon, IDLE_ACCOUNT), own);
    if (account) await announceDeletion(within, account, now);
    return true;
  });
}

/**
 * Erases accounts that stayed idle for a month after the mail to their owner was sent. Where the address
 * was refused for good nobody can be told, and the month counts from then.
 */
export async function eraseIdleAccounts(context: RetentionContext): Promise<boolean> {
  const { db, clock, log } = context;
  const toldBefore = isoBefore(clock, IDLE_NOTICE);
  const announced = sql`deletion_announced_at is not null and exists (${WARNING}
      and (mail.sent_at <= ${toldBefore} or mail.refused_at <= ${toldBefore}))
    and deletion_announced_at >= ${LAST_USE}
    and not exists (select 1 from subscription
      where subscription.account_uid = account.uid
      and subscription.ended_at > account.deletion_announced_at)`;
  const find = (others: RawBuilder<unknown>) =>
    findIdle(db, isoBefore(clock, IDLE_ACCOUNT), sql`${announced} and ${others}`);
  return forEachAccount(context, find, async (within, uid) => {
    const own = sql`${announced} and account.uid = ${uid}`;
    const [account] = await findIdle(within.db, isoBefore(clock, IDLE_ACCOUNT), own);
    if (!account) return true;
    if (await waitsForNotice(within, uid)) return false;
    if (!(await wasTold(within.db, uid))) {
      log.warn({ account: uid }, "idle account erased; the mail that announced it was refused");
    }
    await eraseAccount(within, uid);
    return true;
  });
}

/**
 * Does the work for a batch of accounts, each in a transaction that locks it. Those that fail or wait keep no other
 * from it: the batch is filled with the next ones. When nothing else is left to do, the purge fails for them.
 * @param find finds a batch, with a condition that leaves some out
 * @param work returns false for an account that waits
 * @returns whether there may be further accounts
 * @throws AggregateError when some failed, once nothing else is left to do
 */
async function forEachAccount(
  context: RetentionContext,
  find: (others: RawBuilder<unknown>) => Promise<{ uid: string }[]>,
  work: (within: RetentionContext, uid: string) => Promise<boolean>,
): Promise<boolean> {
  const faults: unknown[] = [];
  const left: string[] = [];
  let done = 0;
  let isMore = true;
  while (isMore && done < BATCH && left.length < MAX_LEFT) {
    const accounts = await find(left.length > 0 ? sql`uid not in (${sql.join(left)})` : sql`1 = 1`);
    for (const { uid } of accounts) {
      try {
        const isDone = await inTransaction(context, async (within) => {
          await lockActiveAccount(within.db, uid);
          return work(within, uid);
        });
        if (isDone) done++;
        else left.push(uid);
      } catch (error) {
        faults.push(error);
        left.push(uid);
      }
    }
    isMore = accounts.length === BATCH;
  }
  // The next round finds those that failed again, and tells of them if it is the last.
  if (isMore && done > 0) return true;
  if (faults.length > 0) throw new AggregateError(faults, "Some accounts failed");
  return false;
}

/** Leaves an account to a later purge while a notice that names it is received and not applied yet. */
async function waitsForNotice(context: RetentionContext, uid: string) {
  if (!(await hasPendingNotice(context, uid))) return false;
  await schedulePurge(context.db, new Date(context.clock.now().getTime() + HOUR_MS));
  return true;
}

async function wasTold(db: Database, uid: string) {
  const announced = await sql`select 1 from account
    where uid = ${uid} and exists (${WARNING} and sent_at is not null)`.execute(db);
  return announced.rows.length > 0;
}

async function announceDeletion(context: RetentionContext, account: Idle, now: Date) {
  const { db, clock } = context;
  const { uid, identifier, origin, used_at, ended_at } = account;
  const usedAt = ended_at !== null && ended_at > used_at ? ended_at : used_at;
  const dueAt = after(new Date(usedAt), IDLE_ACCOUNT);
  const earliest = after(now, IDLE_NOTICE);
  const deletedAt = dueAt > earliest ? dueAt : earliest;
  await db
    .updateTable("account")
    .set({ deletion_announced_at: now.toISOString() })
    .where("uid", "=", uid)
    .execute();
  const site = await findSite(context, origin);
  await sendMail(db, clock, {
    key: `account-idle:${uid}:${now.toISOString()}`,
    to: identifier,
    letter: {
      kind: "account-idle",
      site,
      lastUsedAt: usedAt,
      deletedAt: deletedAt.toISOString(),
      accountUrl: links.account(site),
    },
  });
  await schedulePurge(db, deletedAt);
}

/**
 * Active accounts that nobody used since `before`, without a subscription that runs or ended later, an
 * open payment, a session or a role.
 */
async function findIdle(
  db: Database,
  before: string,
  condition: RawBuilder<unknown>,
): Promise<Idle[]> {
  const idle = await sql<Idle>`select uid, identifier, origin,
      ${LAST_USE} as used_at,
      (select max(ended_at) from subscription where account_uid = account.uid) as ended_at
    from account
    where status = 'active' and ${LAST_USE} <= ${before}
    and not exists (select 1 from subscription where subscription.account_uid = account.uid
      and (subscription.ended_at is null or subscription.ended_at > ${before}))
    and not exists (select 1 from payment where payment.account_uid = account.uid
      and payment.status in ${UNSETTLED_SQL})
    and not exists (select 1 from account_session where account_session.account_uid = account.uid)
    and not exists (select 1 from account_role where account_role.account_uid = account.uid)
    and ${condition}
    limit ${sql.lit(BATCH)}`.execute(db);
  return idle.rows;
}

/** Active accounts that have not paid anything, longest unused first. */
async function findUnused(db: Database, condition: RawBuilder<unknown>, max = BATCH) {
  const unused = await sql<{ uid: string; used_at: string }>`select uid,
      ${LAST_USE} as used_at
    from account
    where status = 'active'
    and not exists (select 1 from subscription where subscription.account_uid = account.uid)
    and not exists (select 1 from payment where payment.account_uid = account.uid
      and (payment.status in ${UNSETTLED_SQL} or payment.status = 'success'))
    and not exists (select 1 from account_session where account_session.account_uid = account.uid)
    and not exists (select 1 from account_role where account_role.account_uid = account.uid)
    and ${condition}
    order by used_at limit ${sql.lit(max)}`.execute(db);
  return unused.rows;
}
