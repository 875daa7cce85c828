import { sql } from "kysely";
import type { UserSession } from "../../../app/contract/accounts";
import { notFound } from "../http/refusal";
import type { Principal } from "../http/types";
import type { Order } from "../paging/order";
import { readPage, type Page, type PageRequest } from "../paging/page";
import { newUid } from "../ports/ids";
import { liveSince, SEEN_EVERY_MS } from "./session-life";
import { scheduleDailyPurge } from "../jobs/purges";
import type { AccountContext } from "./context";

type Store = Pick<AccountContext, "db" | "clock">;

const newestFirst: Order = [
  { name: "date", value: sql.ref<string>("created_at"), direction: "desc" },
  { name: "uid", value: sql.ref<string>("uid"), direction: "desc" },
];

/** Open sessions of one account. No person needs as many; a program in a loop would exceed it. */
const MAX_OPEN = 50;

/** Sessions ended in one query: accounts older than the bound may have many. */
const SURPLUS = 500;

/**
 * Opens a session and ends the oldest ones above the bound. Runs in the transaction that has locked the
 * account (`lockAccount`), so that concurrent sign-ins count each other's session.
 * @returns the session's uid
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
  const surplus = await selectLive(store, accountUid)
    .orderBy("created_at", "desc")
    .orderBy("uid", "desc")
    .limit(SURPLUS)
    .offset(MAX_OPEN)
    .execute();
  const uids = surplus.map(({ uid }) => uid);
  if (uids.length > 0) await updateEnded(store, accountUid).where("uid", "in", uids).execute();
}

type Seen = { session_uid: string; last_seen_at: string };

/** Updates `last_seen_at`, at most once in a while: most calls stay read-only. */
export async function recordSessionSeen({ db, clock }: Store, { session_uid, last_seen_at }: Seen) {
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

/** Lists the open sessions of the account, newest first. */
export async function listSessions(
  { db, clock }: Store,
  { uid, sessionUid }: Principal,
  request: PageRequest,
): Promise<Page<UserSession>> {
  const open = selectLive({ db, clock }, uid);
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

/** @throws Refusal 404 for a session that is unknown, ended or of another account */
export async function endSession(store: Store, principal: Principal, session: string) {
  const uid = session === "current" ? principal.sessionUid : session;
  const ended = await updateEnded(store, principal.uid)
    .where("uid", "=", uid)
    .returning("uid")
    .execute();
  if (ended.length === 0) throw notFound();
}

/** Ends all sessions of an account, except the given one. */
export async function endSessions(store: Store, accountUid: string, except?: string) {
  const all = updateEnded(store, accountUid);
  await (except === undefined ? all : all.where("uid", "!=", except)).execute();
}

const selectLive = ({ db, clock }: Store, accountUid: string) =>
  db
    .selectFrom("account_session")
    .select(["uid", "created_at", "last_seen_at", "device"])
    .where("account_uid", "=", accountUid)
    .where("ended_at", "is", null)
    .where("last_seen_at", ">", liveSince(clock.now()));

const updateEnded = ({ db, clock }: Store, accountUid: string) =>
  db
    .updateTable("account_session")
    .set({ ended_at: clock.now().toISOString() })
    .where("account_uid", "=", accountUid)
    .where("ended_at", "is", null);
