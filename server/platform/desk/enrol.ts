import { identifierKey } from "../accounts/identifier";
import type { Database } from "../database/tables";
import { sendMail } from "../mail/outbox";
import type { TrustedSite } from "../mail/site";
import type { Clock } from "../ports/clock";
import { newUid } from "../ports/ids";
import { deskLink, createInviteLink } from "./invite";
import { grantRole, revokeRole } from "./roles";

type Options = { db: Database; clock: Clock };
type Account = { uid: string; identifier: string; password_hash: string | null; status: string };

export type Invited = { email: string; name: string; site: TrustedSite; formula: string };

/**
 * Makes the account of an e-mail a coach, opens it if necessary, and mails the invitation. For an
 * existing coach it sets the new name and sends the mail again.
 * @throws Error in one line when the account is blocked
 */
export async function enrolCoach({ db, clock }: Options, invited: Invited): Promise<void> {
  await db.transaction().execute(async (within) => {
    const now = clock.now();
    const account =
      (await findAccount(within, invited.email)) ?? (await openAccount(within, invited, now));
    if (account.status !== "active") throw new Error(`The account ${invited.email} is blocked`);
    await grantRole(within, account.uid, invited.name, now);
    const { site, name } = invited;
    const needsPassword = account.password_hash === null;
    const passwordUrl = needsPassword
      ? await createInviteLink(within, account.uid, site, now)
      : null;
    await sendMail(within, clock, {
      key: `coach:${newUid()}`,
      to: account.identifier,
      letter: { kind: "coach-invited", site, name, passwordUrl, deskUrl: deskLink(site) },
    });
  });
}

/** @throws Error in one line when there is no such coach */
export async function dismissCoach({ db }: Pick<Options, "db">, email: string): Promise<void> {
  await db.transaction().execute(async (within) => {
    const account = await findAccount(within, email);
    const wasCoach = account !== undefined && (await revokeRole(within, account.uid));
    if (!wasCoach) throw new Error(`${email} is no coach`);
  });
}

export async function coachesByEmail(db: Database) {
  return db
    .selectFrom("account_role")
    .innerJoin("account", "account.uid", "account_role.account_uid")
    .select(["account.identifier as email", "account_role.name"])
    .where("account_role.role", "=", "coach")
    .orderBy("account.identifier")
    .execute();
}

async function findAccount(db: Database, email: string): Promise<Account | undefined> {
  return db
    .selectFrom("account")
    .select(["uid", "identifier", "password_hash", "status"])
    .where("identifier_key", "=", identifierKey(email))
    .executeTakeFirst();
}

/** Opens an account without a password; the mailed link sets the first one. */
async function openAccount(db: Database, { email, formula }: Invited, now: Date): Promise<Account> {
  const at = now.toISOString();
  return db
    .insertInto("account")
    .values({
      uid: newUid(),
      identifier: email,
      identifier_key: identifierKey(email),
      password_hash: null,
      registration_key: null,
      formula_uid: formula,
      affiliation_token: null,
      affiliation_platform: null,
      status: "active",
      metadata: "{}",
      metadata_modified_at: at,
      created_at: at,
    })
    .returning(["uid", "identifier", "password_hash", "status"])
    .executeTakeFirstOrThrow();
}
