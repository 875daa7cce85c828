import { DAY_MS } from "../ports/durations";
import { z } from "zod/v4";
import { inTransaction } from "../database/transaction";
import type { Database } from "../database/tables";
import { invalid } from "../http/refusal";
import { enqueue } from "../jobs/queue";
import { links } from "../mail/links";
import { sendMail } from "../mail/outbox";
import { findSite, NO_ADDRESS } from "../mail/site";
import { hashSecret, newSecret, newUid } from "../ports/ids";
import { scheduleDailyPurge } from "../jobs/purges";
import { findStopped } from "../subscriptions/due";
import { endOfStopped } from "../subscriptions/lookup";
import { mayUndoStop } from "../subscriptions/unsigned-stop";
import { identifierKey } from "./identifier";
import { lockAccount } from "../database/account-lock";
import type { AccountContext } from "./context";

/** Kind of the job that mails a release link, if the account is leaving. */
export const RELEASE = "account.release-address";

const VALID_MS = DAY_MS;
/** Valid links of one account: strangers who ask for more must not flood the owner's mailbox. */
const MAX_LINKS = 3;

const work = z.object({ accountUid: z.string(), origin: z.string() });

/**
 * Enqueues a release mail for a taken e-mail. A job looks up whether the account is leaving, so that
 * response and time are the same for every taken e-mail.
 */
export async function enqueueReleaseMail(
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

export async function mailReleaseLink(context: AccountContext, payload: unknown) {
  const { accountUid, origin } = work.parse(payload);
  await inTransaction(context, async (within) => {
    const { db, clock, log } = within;
    const now = clock.now();
    await lockAccount(db, accountUid);
    const account = await findActive(db, accountUid);
    const stopped = await findStopped(db, accountUid);
    if (!account || !stopped || (await countLinks(db, accountUid, now)) >= MAX_LINKS) return;
    // The host of the request is chosen by its sender, so the owner's last origin comes first.
    const site = await findSite(within, account.origin, origin);
    // Until an origin is confirmed, a job for each request would be tried again for as long as the contract runs.
    if (!site.isTrusted) return log.warn({ origin }, NO_ADDRESS);
    const { uid, secret, validUntil } = await addLink(db, accountUid, now);
    await scheduleDailyPurge(db, now);
    await sendMail(db, clock, {
      key: `address-release:${uid}`,
      to: account.identifier,
      letter: {
        kind: "address-release",
        site,
        validUntil,
        releaseUrl: links.addressRelease(site, secret),
        openUntil: stopped.ended_at === null ? endOfStopped(stopped) : null,
        hasUnsignedNotice: await mayUndoStop(within, stopped),
      },
    });
  });
}

/**
 * Finds the account that a mailed link releases, without consuming the link.
 * @throws Refusal 400 on `token`, the same for an unknown, expired and used link, and when the
 *   account is no longer leaving
 */
export async function findAccountToRelease(
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
