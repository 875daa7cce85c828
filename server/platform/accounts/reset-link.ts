import type { Database } from "../database/tables";
import { links } from "../mail/links";
import { sendMail } from "../mail/outbox";
import { trustedSiteOf } from "../mail/site";
import { hashSecret, newSecret, newUid } from "../ports/ids";
import { lockAccount } from "./lock";
import type { AccountContext } from "./context";

const VALID_MS = 3_600_000;
/** At a time. As each is good for an hour, no more mails an hour either, whoever asks for them. */
const MAX_LINKS = 3;

type Request = { identifier_key: string; origin: string };

/** Earlier links stay good: the mail that arrives last need not be the one that was asked last. */
export async function mailResetLink(context: AccountContext, { identifier_key, origin }: Request) {
  const { db, clock } = context;
  const account = await lockActive(db, identifier_key);
  if (!account) return;
  const now = clock.now();
  if ((await countLinks(db, account.uid, now)) >= MAX_LINKS) return;
  const { uid, secret, validUntil } = await addResetLink(db, account.uid, now, VALID_MS);
  // Whoever asks chooses among the site's addresses: the one its owner used comes first.
  const site = await trustedSiteOf(context, account.origin, origin);
  await sendMail(db, clock, {
    key: `password-reset:${uid}`,
    to: account.identifier,
    letter: {
      kind: "password-reset",
      site,
      validUntil,
      resetUrl: links.passwordUpdate(site, secret),
    },
  });
}

/** A secret that sets the password once; only its hash is kept. */
export async function addResetLink(db: Database, accountUid: string, now: Date, validMs: number) {
  const [uid, secret] = [newUid(), newSecret()];
  const validUntil = new Date(now.getTime() + validMs).toISOString();
  await db
    .insertInto("password_reset")
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

/** Read again once nobody else can change it: it may be deleted at this very moment. */
async function lockActive(db: Database, identifierKey: string) {
  const known = await findActive(db, identifierKey);
  if (known) await lockAccount(db, known.uid);
  return known && findActive(db, identifierKey);
}

async function findActive(db: Database, identifierKey: string) {
  return db
    .selectFrom("account")
    .select(["uid", "identifier", "origin"])
    .where("identifier_key", "=", identifierKey)
    .where("status", "=", "active")
    .executeTakeFirst();
}

async function countLinks(db: Database, accountUid: string, now: Date) {
  const { count } = await db
    .selectFrom("password_reset")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("account_uid", "=", accountUid)
    .where("expires_at", ">", now.toISOString())
    .executeTakeFirstOrThrow();
  return count;
}
