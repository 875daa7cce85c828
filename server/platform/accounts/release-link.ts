import { z } from "zod/v4";
import type { Database } from "../database/tables";
import { invalid } from "../http/refusal";
import { enqueue } from "../jobs/queue";
import { links } from "../mail/links";
import { sendMail } from "../mail/outbox";
import { trustedSiteOf } from "../mail/site";
import { hashSecret, newSecret, newUid } from "../ports/ids";
import { scheduleDailyPurge } from "../retention/schedule";
import { findStopped } from "../subscriptions/due";
import { endOfStopped } from "../subscriptions/lookup";
import { identifierKey } from "./identifier";
import { lockAccount } from "./lock";
import type { AccountContext } from "./context";

/** Kind of the job that mails the link to who wants to register again, if they are leaving. */
export const RELEASE = "account.release-address";

const VALID_MS = 24 * 3_600_000;
/** At a time: each is as good as the others, and no stranger fills the letter box. */
const MAX_LINKS = 3;

const work = z.object({ accountUid: z.string(), origin: z.string() });

/**
 * Somebody typed an e-mail that is taken. Whether its account is leaving is looked up by a job:
 * answer and time are those of any e-mail that is taken, and nothing changes by it.
 */
export async function offerRelease(
  { db, clock }: AccountContext,
  identifier: string,
  origin: string,
) {
  const account = await db
    .selectFrom("account")
    .select("uid")
    .where("identifier_key", "=", identifierKey(identifier))
    .executeTakeFirst();
  if (!account) return;
  const payload = { accountUid: account.uid, origin };
  const key = `${RELEASE}:${newUid()}`;
  await enqueue(db, { kind: RELEASE, key, payload, runAt: clock.now() });
}

/** Work of the job. */
export async function mailRelease(context: AccountContext, payload: unknown) {
  const { accountUid, origin } = work.parse(payload);
  await context.db.transaction().execute(async (db) => {
    const now = context.clock.now();
    await lockAccount(db, accountUid);
    const account = await findActive(db, accountUid);
    const stopped = await findStopped(db, accountUid);
    if (!account || !stopped || (await countLinks(db, accountUid, now)) >= MAX_LINKS) return;
    const { uid, secret, validUntil } = await addLink(db, accountUid, now);
    await scheduleDailyPurge(db, now);
    // Whoever asks names the host they ask at: the link leads to the one its owner used.
    const site = await trustedSiteOf({ db, site: context.site }, account.origin, origin);
    await sendMail(db, context.clock, {
      key: `address-release:${uid}`,
      to: account.identifier,
      letter: {
        kind: "address-release",
        site,
        validUntil,
        releaseUrl: links.addressRelease(site, secret),
        openUntil: stopped.ended_at === null ? endOfStopped(stopped) : null,
      },
    });
  });
}

/**
 * The account that a mailed link releases; finding it uses nothing up.
 * @throws Refusal 400 on `token`, the same for unknown, expired and used, and where the account is
 *   leaving no more
 */
export async function findReleased(
  { db, clock }: Pick<AccountContext, "db" | "clock">,
  secret: string,
): Promise<string> {
  const link = await db
    .selectFrom("address_release")
    .select("account_uid")
    .where("secret_hash", "=", hashSecret(secret))
    .where("expires_at", ">", clock.now().toISOString())
    .executeTakeFirst();
  if (!link || !(await findStopped(db, link.account_uid))) throw badLink();
  return link.account_uid;
}

async function findActive(db: Database, uid: string) {
  return db
    .selectFrom("account")
    .select(["identifier", "origin"])
    .where("uid", "=", uid)
    .where("status", "=", "active")
    .executeTakeFirst();
}

async function countLinks(db: Database, accountUid: string, now: Date) {
  const { count } = await db
    .selectFrom("address_release")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("account_uid", "=", accountUid)
    .where("expires_at", ">", now.toISOString())
    .executeTakeFirstOrThrow();
  return count;
}

async function addLink(db: Database, accountUid: string, now: Date) {
  const [uid, secret] = [newUid(), newSecret()];
  const validUntil = new Date(now.getTime() + VALID_MS).toISOString();
  await db
    .insertInto("address_release")
    .values({
      uid,
      account_uid: accountUid,
      secret_hash: hashSecret(secret),
      created_at: now.toISOString(),
      expires_at: validUntil,
    })
    .execute();
  return { uid, secret, validUntil };
}

const badLink = () => invalid("token", "Unknown or expired link");
