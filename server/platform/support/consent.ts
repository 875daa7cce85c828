import { createHash } from "node:crypto";
import type { z } from "zod/v4";
import type { sensitiveConsent } from "../../../app/contract/support";
import { CLOSED, isActive } from "../../../app/contract/ticket-status";
import { requireActiveAccount } from "../accounts/active-account";
import type { Database, Tables } from "../database/tables";
import { inTransaction } from "../database/transaction";
import { conflict } from "../http/refusal";
import { limit } from "../limits/limit";
import { CONSENTS } from "../limits/rules";
import { newUid } from "../ports/ids";
import type { SupportContext } from "./context";
import { updateCountsOf } from "./counts";
import { deleteDiscussions } from "./deletion";
import { statusColumns } from "./statuses";
import { lockTicket } from "./ticket";

type Consent = z.infer<typeof sensitiveConsent>;

/** The current consent. Null when it was never given, or was revoked. */
export async function findConsent(db: Database, accountUid: string): Promise<Consent | null> {
  const row = await db
    .selectFrom("sensitive_consent")
    .selectAll()
    .where("account_uid", "=", accountUid)
    .where("taken_back_at", "is", null)
    .executeTakeFirst();
  return row ? payloadOf(row) : null;
}

/**
 * When the consent that discussions were held on was taken back, while none stands since. Null for an
 * account that never gave one: programs may open discussions without it.
 */
export async function findTakenBack(
  db: Database,
  accountUid: string | null,
): Promise<string | null> {
  if (accountUid === null) return null;
  const rows = await db
    .selectFrom("sensitive_consent")
    .select("taken_back_at")
    .where("account_uid", "=", accountUid)
    .execute();
  const times = rows.map(({ taken_back_at }) => taken_back_at);
  return times.includes(null) ? null : (times.sort().at(-1) ?? null);
}

/**
 * Refuses to go on with a discussion whose person took their consent back: nothing more may be asked,
 * written or answered on its ground (RGPD, article 7-3).
 * @throws Refusal 409 on `consent`
 */
export async function checkConsent(db: Database, accountUid: string | null) {
  const at = await findTakenBack(db, accountUid);
  if (at) throw conflict("consent", `Its person took their consent back at ${at}`);
}

/** How many discussions an account holds, whatever their status. */
export async function countDiscussions(db: Database, accountUid: string): Promise<number> {
  const { count } = await db
    .selectFrom("ticket")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("account_uid", "=", accountUid)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Records the consent to the handling of sensitive information, with the words that were shown (RGPD,
 * articles 7-1 and 9-2-a). One that stands stays as it is.
 * @throws Refusal 401 when the account was deleted, 429
 */
export async function giveConsent(
  context: SupportContext,
  accountUid: string,
  text: string,
): Promise<Consent> {
  return inTransaction(context, async ({ db, clock }) => {
    await requireActiveAccount(db, accountUid);
    const standing = await findConsent(db, accountUid);
    if (standing) return standing;
    await limit(db, clock, CONSENTS, accountUid);
    const row = await db
      .insertInto("sensitive_consent")
      .values({
        uid: newUid(),
        account_uid: accountUid,
        version: versionOf(text),
        text,
        given_at: clock.now().toISOString(),
        taken_back_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return payloadOf(row);
  });
}

/**
 * Revokes the consent (RGPD, article 7-3). The discussions that rest on it are closed, or erased if their
 * person asks for it. Repeating the call changes nothing, except that
 * discussions that were closed may be erased then.
 * @throws Refusal 401 when the account was deleted
 */
export async function takeBackConsent(
  context: SupportContext,
  accountUid: string,
  discussions: "close" | "erase",
) {
  await inTransaction(context, async ({ db, clock }) => {
    await requireActiveAccount(db, accountUid);
    const now = clock.now().toISOString();
    await db
      .updateTable("sensitive_consent")
      .set({ taken_back_at: now })
      .where("account_uid", "=", accountUid)
      .where("taken_back_at", "is", null)
      .execute();
    await (discussions === "erase"
      ? deleteDiscussions(db, accountUid)
      : closeDiscussions(db, accountUid, now));
  });
}

async function closeDiscussions(db: Database, accountUid: string, now: string) {
  const own = await db
    .selectFrom("ticket")
    .select("uid")
    .where("account_uid", "=", accountUid)
    .orderBy("uid")
    .execute();
  const locked = [];
  for (const { uid } of own) locked.push(await lockTicket(db, uid));
  const changes = [];
  for (const from of locked.filter(({ status }) => isActive(status))) {
    const to = await db
      .updateTable("ticket")
      .set({ ...statusColumns(CLOSED, from, now), version: from.version + 1 })
      .where("uid", "=", from.uid)
      .returningAll()
      .executeTakeFirstOrThrow();
    changes.push({ from, to });
  }
  await updateCountsOf(db, changes);
}

const payloadOf = ({ version, given_at }: Tables["sensitive_consent"]): Consent => ({
  version,
  givenDateTime: given_at,
});

/** Long enough to tell versions of one text apart. */
const versionOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
