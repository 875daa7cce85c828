import { subjectOf, widerNetworkOf } from "../../../app/contract/client-address";
import { counts } from "../../counts";
import { isPostgres } from "../database/dialect";
import { lockName } from "../database/lock";
import type { Database } from "../database/tables";
import { Refusal } from "../http/refusal";
import type { Clock } from "../ports/clock";
import { MINUTE_MS } from "../ports/durations";
import { newUid } from "../ports/ids";
import { scheduleDailyPurge } from "../jobs/purges";
import type { LimitRule, LockRule } from "./rules";

/**
 * Counts an event before its outcome is known, so that many concurrent ones cannot pass together.
 * The caller uncounts it afterwards when the rule does not apply (`uncountEvent`). The count is in
 * the database and holds across processes and restarts.
 * @param subject the key under which events are counted: an address (`subjectOf`) or a keyed hash
 * @returns the event's uid; counting the same uid twice is one event
 * @throws LimitExceeded with `Retry-After`; nothing is counted then
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
  const refuseFull = async () => {
    const seconds = await secondsToWait(db, clock.now(), rule, { subject, uid });
    if (seconds > 0) throw exceeded(rule, seconds);
  };
  // Who is over the limit is refused without waiting for the lock, and holds no connection meanwhile.
  if (isPostgres(db)) await refuseFull();
  await lockSubject(db, rule, subject);
  await refuseFull();
  await countEvent(db, clock.now(), rule, { subject, uid });
  return uid;
}

/** A network (`widerNetworkOf`) may have this many times the events of one of its addresses. */
const NETWORK_FACTOR = 10;

/**
 * Counts an event of anybody, by the address. Who has hundreds of addresses in one network is counted by it.
 * @throws LimitExceeded like `limit`
 */
export async function limitAddress(
  db: Database,
  clock: Clock,
  rule: LimitRule,
  address: string | null,
  uid = newUid(),
): Promise<string> {
  if (!db.isTransaction) {
    return db.transaction().execute((within) => limitAddress(within, clock, rule, address, uid));
  }
  const subject = subjectOf(address);
  const network = widerNetworkOf(subject);
  await limit(db, clock, rule, subject, uid);
  // An unknown address is its own network.
  if (network !== subject) await limit(db, clock, ofNetwork(rule), network, networkEvent(uid));
  return uid;
}

const ofNetwork = (rule: LimitRule): LimitRule => ({
  ...rule,
  scope: `${rule.scope}.network`,
  max: rule.max * NETWORK_FACTOR,
});

/** The event of an address counts once more for its network. */
const networkEvent = (uid: string) => `${uid}.network`;

/**
 * Reserves the next slot that the rule leaves free, now or later. Nothing is refused.
 * @returns the slot, which `uncountEvent` gives back, and its time
 */
export async function reserveSlot(
  transaction: Database,
  clock: Clock,
  rule: LimitRule,
  subject: string,
): Promise<{ uid: string; at: Date }> {
  await lockSubject(transaction, rule, subject);
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
  const slot = { uid: newUid(), at: new Date(Math.max(free, clock.now().getTime())) };
  await countEvent(transaction, slot.at, rule, { subject, uid: slot.uid });
  return slot;
}

/**
 * Counts like `limit`, with locks that grow: each full round of events locks for longer than the
 * one before. The end of a round is stored only when the next one begins, so that uncounting an
 * event reopens the round.
 * @throws LimitExceeded with `Retry-After`; nothing is counted then
 */
export async function limitWithLock(
  transaction: Database,
  clock: Clock,
  rule: LockRule,
  subject: string,
): Promise<string> {
  await lockSubject(transaction, rule, subject);
  const now = clock.now();
  const since = new Date(now.getTime() - rule.windowMs).toISOString();
  const until = latest(now);
  const locks = await momentsOf(transaction, lockOf(rule), subject, { since, until });
  const round = await momentsOf(transaction, rule.scope, subject, {
    since: locks[0] ?? since,
    until,
  });
  const [last] = round;
  if (last !== undefined && round.length >= (locks.length > 0 ? rule.maxAfterLock : rule.max)) {
    const lockMs = Math.min(rule.lockMs * 2 ** locks.length, rule.maxLockMs);
    const seconds = secondsUntil(Date.parse(last) + lockMs, now);
    if (seconds > 0) throw exceeded(rule, seconds);
    const lock = { uid: newUid(), scope: lockOf(rule), subject, at: last };
    await transaction.insertInto("limited_event").values(lock).execute();
  }
  const uid = newUid();
  await countEvent(transaction, now, rule, { subject, uid });
  return uid;
}

type Event = { subject: string; uid: string };

/** Takes an event out of the count until its outcome is known. */
export async function suspendEvent(db: Database, rule: LimitRule, uid: string) {
  await move(db, uid, rule.scope, asideOf(rule));
}

/** Counts a suspended event again. */
export async function restoreEvent(db: Database, rule: LimitRule, uid: string) {
  await move(db, uid, asideOf(rule), rule.scope);
}

export async function uncountEvent(db: Database, ...uids: string[]) {
  const events = [...uids, ...uids.map(networkEvent)];
  await db.deleteFrom("limited_event").where("uid", "in", events).execute();
}

/** Resets the count of a subject. */
export async function resetSubject(db: Database, { scope }: LimitRule, subject: string) {
  await db
    .deleteFrom("limited_event")
    .where("scope", "=", scope)
    .where("subject", "=", subject)
    .execute();
}

/**
 * Locks a subject's events until the transaction ends, so that counting and inserting are one step. A lock of the
 * rule would let whoever asks most decide how long everybody waits.
 */
const lockSubject = (transaction: Database, { scope }: LimitRule, subject: string) =>
  lockName(transaction, `limit.${scope}:${subject}`);

/** Seconds until the window has room again; 0 when it has room. */
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
    .where("at", "<=", latest(now))
    .where("uid", "!=", uid)
    .orderBy("at", "desc")
    .limit(1)
    .offset(max - 1)
    .executeTakeFirst();
  if (!filling) return 0;
  return secondsUntil(Date.parse(filling.at) + windowMs, now);
}

/**
 * Clocks of several processes differ a little. What lies further ahead was counted while a clock was wrong, and would
 * lock people out until then.
 */
const latest = (now: Date) => new Date(now.getTime() + CLOCKS_DIFFER_MS).toISOString();
const CLOCKS_DIFFER_MS = 5 * MINUTE_MS;

type Span = { since: string; until: string };

/** Times of the subject's events between two moments, newest first. */
async function momentsOf(db: Database, scope: string, subject: string, { since, until }: Span) {
  const events = await db
    .selectFrom("limited_event")
    .select("at")
    .where("scope", "=", scope)
    .where("subject", "=", subject)
    .where("at", ">", since)
    .where("at", "<=", until)
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

/** All scopes under which events of a rule are stored. */
export const scopesOf = (rule: LimitRule) => [
  rule.scope,
  lockOf(rule),
  asideOf(rule),
  ofNetwork(rule).scope,
];

const lockOf = ({ scope }: LimitRule) => `${scope}.lock`;
const asideOf = ({ scope }: LimitRule) => `${scope}.aside`;

function exceeded({ scope: rule }: LimitRule, seconds: number) {
  counts.limits.add({ rule });
  return new LimitExceeded(seconds);
}

/** 429: the rule's maximum is reached. */
export class LimitExceeded extends Refusal {
  constructor(readonly seconds: number) {
    super(429, `Too many attempts; try again in ${seconds} seconds`, [], {
      "retry-after": String(seconds),
    });
  }
}
