import { sql } from "kysely";
import type { UserSession } from "../../../app/contract/accounts";
import { notFound } from "../http/refusal";
import type { Principal } from "../http/types";
import type { Order } from "../paging/order";
import { readPage, type Page, type PageRequest } from "../paging/page";
import { newUid } from "../ports/ids";
import { liveSince, SEEN_EVERY_MS } from "./session-life";
import { scheduleDailyPurge } from "../retention/schedule";
import type { AccountContext } from "./context";

type Store = Pick<AccountContext, "db" | "clock">;

const newestFirst: Order = [
  { name: "date", value: sql.ref<string>("created_at"), direction: "desc" },
  { name: "uid", value: sql.ref<string>("uid"), direction: "desc" },
];

/** Of an account at a time: nobody uses as many, a program in a loop would. */
const MAX_OPEN = 50;

/** Ended at a time: accounts may have more from before there was a bound. */
const SURPLUS = 500;

/**
 * Opens one in the transaction that holds the account (`lockAccount`): of two at once both see what
 * the other opened, and the oldest ends.
 * @returns its uid
 */
export async function openSession(
  { db, clock }: Store,
  accountUid: string,
  device: string | null,
): Promise<string> {
  const uid = newUid();
  const now = clock.now().toISOString();
  await db
    .insertInto("account_session")
    .values({ uid, account_uid: accountUid, created_at: now, last_seen_at: now, device })
    .execute();
  await endOldest({ db, clock }, accountUid);
  await scheduleDailyPurge(db, clock.now());
  return uid;
}

async function endOldest(store: Store, accountUid: string) {
  const surplus = await live(store, accountUid)
    .orderBy("created_at", "desc")
    .orderBy("uid", "desc")
    .limit(SURPLUS)
    .offset(MAX_OPEN)
    .execute();
  const uids = surplus.map(({ uid }) => uid);
  if (uids.length > 0) await end(store, accountUid).where("uid", "in", uids).execute();
}

type Seen = { session_uid: string; last_seen_at: string };

/** Written once in a while, and once by many calls at a time: reading stays reading. */
export async function seeSession({ db, clock }: Store, { session_uid, last_seen_at }: Seen) {
  const now = clock.now();
  const before = new Date(now.getTime() - SEEN_EVERY_MS).toISOString();
  if (last_seen_at > before) return;
  await db
    .updateTable("account_session")
    .set({ last_seen_at: now.toISOString() })
    .where("uid", "=", session_uid)
    .where("last_seen_at", "<=", before)
    .execute();
}

/** Where a person is signed in, newest first. */
export async function listSessions(
  { db, clock }: Store,
  { uid, sessionUid }: Principal,
  request: PageRequest,
): Promise<Page<UserSession>> {
  const open = live({ db, clock }, uid);
  const { rows, page } = await readPage(open, { name: "sessions", order: newestFirst }, request);
  const sessions = rows.map((row) => ({
    uid: row.uid,
    createdDateTime: row.created_at,
    lastSeenDateTime: row.last_seen_at,
    device: row.device,
    current: row.uid === sessionUid,
  }));
  return { rows: sessions, page };
}

/** @throws Refusal 404 for one that is another's, unknown or over */
export async function endSession(store: Store, principal: Principal, session: string) {
  const uid = session === "current" ? principal.sessionUid : session;
  const ended = await end(store, principal.uid).where("uid", "=", uid).returning("uid").execute();
  if (ended.length === 0) throw notFound();
}

/** All of an account but the one that is named. */
export async function endSessions(store: Store, accountUid: string, except?: string) {
  const all = end(store, accountUid);
  await (except === undefined ? all : all.where("uid", "!=", except)).execute();
}

const live = ({ db, clock }: Store, accountUid: string) =>
  db
    .selectFrom("account_session")
    .select(["uid", "created_at", "last_seen_at", "device"])
    .where("account_uid", "=", accountUid)
    .where("ended_at", "is", null)
    .where("last_seen_at", ">", liveSince(clock.now()));

const end = ({ db, clock }: Store, accountUid: string) =>
  db
    .updateTable("account_session")
    .set({ ended_at: clock.now().toISOString() })
    .where("account_uid", "=", accountUid)
    .where("ended_at", "is", null);
