import type { Database } from "../database/tables";
import { Refusal } from "../http/refusal";
import type { Clock } from "../ports/clock";
import { newUid } from "../ports/ids";
import { scheduleDailyPurge } from "../retention/schedule";
import type { LimitRule, LockRule } from "./rules";

/**
 * Counts an event before it is known whether it is one that the rule limits, so that many at once
 * cannot slip through together: whoever does not mind it forgets it afterwards (`forgetEvent`).
 * Counted in the database: it holds across processes and restarts.
 * @param subject whose events are counted together: an address (`subjectOf`) or a keyed hash
 * @returns the event's uid; the same uid again is the same event
 * @throws TooMany with `Retry-After`; nothing is counted then
 */
export async function limit(
  db: Database,
  clock: Clock,
  rule: LimitRule,
  subject: string,
  uid = newUid(),
): Promise<string> {
  if (!db.isTransaction) {
    return db.transaction().execute((within) => limit(within, clock, rule, subject, uid));
  }
  await takeTurn(db, rule);
  const seconds = await secondsToWait(db, clock.now(), rule, { subject, uid });
  if (seconds > 0) throw new TooMany(seconds);
  await countEvent(db, clock.now(), rule, { subject, uid });
  return uid;
}

/**
 * Takes the next place that the rule leaves free, now or later: nothing is refused, it only waits.
 * @returns the moment of that place
 */
export async function takePlace(
  transaction: Database,
  clock: Clock,
  rule: LimitRule,
  subject: string,
): Promise<Date> {
  await takeTurn(transaction, rule);
  const taken = await transaction
    .selectFrom("limited_event")
    .select("at")
    .where("scope", "=", rule.scope)
    .where("subject", "=", subject)
    .orderBy("at", "desc")
    .limit(1)
    .offset(rule.max - 1)
    .executeTakeFirst();
  const free = taken ? Date.parse(taken.at) + rule.windowMs : 0;
  const place = new Date(Math.max(free, clock.now().getTime()));
  await countEvent(transaction, place, rule, { subject, uid: newUid() });
  return place;
}

/**
 * Counts like `limit`, with locks that grow: each full round of events closes for longer than the
 * one before. A round is written down as over only when the next one begins: events that are
 * forgotten meanwhile open it again.
 * @throws TooMany with `Retry-After`; nothing is counted then
 */
export async function limitWithLock(
  transaction: Database,
  clock: Clock,
  rule: LockRule,
  subject: string,
): Promise<string> {
  await takeTurn(transaction, rule);
  const now = clock.now();
  const since = new Date(now.getTime() - rule.windowMs).toISOString();
  const locks = await momentsOf(transaction, lockOf(rule), subject, since);
  const round = await momentsOf(transaction, rule.scope, subject, locks[0] ?? since);
  const [last] = round;
  if (last !== undefined && round.length >= (locks.length > 0 ? rule.maxAgain : rule.max)) {
    const lockMs = Math.min(rule.lockMs * 2 ** locks.length, rule.maxLockMs);
    const seconds = secondsUntil(Date.parse(last) + lockMs, now);
    if (seconds > 0) throw new TooMany(seconds);
    const lock = { uid: newUid(), scope: lockOf(rule), subject, at: last };
    await transaction.insertInto("limited_event").values(lock).execute();
  }
  const uid = newUid();
  await countEvent(transaction, now, rule, { subject, uid });
  return uid;
}

type Event = { subject: string; uid: string };

/** Takes an event out of the count until it is known what became of it. */
export async function setEventAside(db: Database, rule: LimitRule, uid: string) {
  await move(db, uid, rule.scope, asideOf(rule));
}

/** Counts an event that was set aside. */
export async function countAgain(db: Database, rule: LimitRule, uid: string) {
  await move(db, uid, asideOf(rule), rule.scope);
}

export async function forgetEvent(db: Database, ...uids: string[]) {
  await db.deleteFrom("limited_event").where("uid", "in", uids).execute();
}

/** Begins to count again from nothing: somebody proved who they are in another way. */
export async function forgetSubject(db: Database, { scope }: LimitRule, subject: string) {
  await db
    .deleteFrom("limited_event")
    .where("scope", "=", scope)
    .where("subject", "=", subject)
    .execute();
}

/** One at a time for a rule, until the transaction ends: what is counted stays true. */
async function takeTurn(transaction: Database, { scope }: LimitRule) {
  await transaction
    .insertInto("setting")
    .values({ name: `limit.${scope}`, value: "" })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: "" }))
    .execute();
}

/** Until the oldest event that fills the window leaves it; 0 when there is room. */
async function secondsToWait(
  db: Database,
  now: Date,
  { scope, max, windowMs }: LimitRule,
  { subject, uid }: Event,
): Promise<number> {
  const since = new Date(now.getTime() - windowMs).toISOString();
  const filling = await db
    .selectFrom("limited_event")
    .select("at")
    .where("scope", "=", scope)
    .where("subject", "=", subject)
    .where("at", ">", since)
    .where("uid", "!=", uid)
    .orderBy("at", "desc")
    .limit(1)
    .offset(max - 1)
    .executeTakeFirst();
  if (!filling) return 0;
  return secondsUntil(Date.parse(filling.at) + windowMs, now);
}

/** When events of a subject happened since then, newest first. */
async function momentsOf(db: Database, scope: string, subject: string, since: string) {
  const events = await db
    .selectFrom("limited_event")
    .select("at")
    .where("scope", "=", scope)
    .where("subject", "=", subject)
    .where("at", ">", since)
    .orderBy("at", "desc")
    .execute();
  return events.map(({ at }) => at);
}

const secondsUntil = (moment: number, now: Date) => Math.ceil((moment - now.getTime()) / 1000);

async function countEvent(db: Database, at: Date, rule: LimitRule, { subject, uid }: Event) {
  const event = { scope: rule.scope, subject, at: at.toISOString() };
  await db
    .insertInto("limited_event")
    .values({ uid, ...event })
    .onConflict((conflict) => conflict.column("uid").doUpdateSet(event))
    .execute();
  await scheduleDailyPurge(db, at);
}

async function move(db: Database, uid: string, from: string, to: string) {
  await db
    .updateTable("limited_event")
    .set({ scope: to })
    .where("uid", "=", uid)
    .where("scope", "=", from)
    .execute();
}

/** All under which events of a rule are kept. */
export const scopesOf = (rule: LimitRule) => [rule.scope, lockOf(rule), asideOf(rule)];

const lockOf = ({ scope }: LimitRule) => `${scope}.lock`;
const asideOf = ({ scope }: LimitRule) => `${scope}.aside`;

/** 429: as many as the rule allows are counted already. */
export class TooMany extends Refusal {
  constructor(readonly seconds: number) {
    super(429, `Too many attempts; try again in ${seconds} seconds`, [], {
      "retry-after": String(seconds),
    });
  }
}
