import { identifierKey } from "../accounts/identifier";
import { forgetAddresses } from "../accounts/known-address";
import { lockAccount } from "../database/account-lock";
import { endSessions } from "../accounts/sessions";
import type { Database } from "../database/tables";
import { sendMail } from "../mail/outbox";
import type { TrustedSite } from "../mail/site";
import type { Clock } from "../ports/clock";
import { newUid } from "../ports/ids";
import { deskLink, createInviteLink } from "./invite";
import { grantRole, revokeRole } from "../accounts/roles";

type Options = { db: Database; clock: Clock };
type Account = { uid: string; identifier: string; password_hash: string | null; status: string };

export type Invited = { email: string; name: string; site: TrustedSite; formula: string };

/**
 * `opened`: the account was created. `reset`: an existing account lost its password and sessions, so that
 * only the owner of its e-mail can sign in. `kept`: the account already belonged to a coach.
 */
export type Enrolment = "opened" | "reset" | "kept";

/**
 * Gives an e-mail the role of a coach, creates its account if needed, and mails an invitation. A person
 * who registered an e-mail may not own it, so an existing account loses its password and sessions, and
 * the mailed link sets a new password. An e-mail that is already a coach's gets the new name and another
 * invitation.
 * @throws Error in one line when the account is blocked
 */
export async function enrolCoach({ db, clock }: Options, invited: Invited): Promise<Enrolment> {
  return db.transaction().execute(async (within) => {
    const now = clock.now();
    const opened = await openAccount(within, invited, now);
    const account = opened ?? (await lockExisting(within, invited.email));
    if (account.status !== "active") throw new Error(`The account ${invited.email} is blocked`);
    const enrolment = opened ? "opened" : (await isCoach(within, account.uid)) ? "kept" : "reset";
    if (enrolment === "reset") await revokeAccess({ db: within, clock }, account.uid);
    await grantRole(within, account.uid, invited.name, now);
    const { site, name } = invited;
    const hadPassword = account.password_hash !== null;
    const keepsPassword = hadPassword && enrolment === "kept";
    const passwordUrl = keepsPassword
      ? null
      : await createInviteLink(within, account.uid, site, now);
    const letter = { kind: "coach-invited", site, name, hadPassword, passwordUrl } as const;
    await sendMail(within, clock, {
      key: `coach:${newUid()}`,
      to: account.identifier,
      letter: { ...letter, deskUrl: deskLink(site) },
    });
    return enrolment;
  });
}

/** @throws Error in one line when the e-mail is not a coach's */
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

/** Reads the account after locking it. Otherwise a password that is set in between would be kept. */
async function lockExisting(db: Database, email: string): Promise<Account> {
  const known = await findAccount(db, email);
  if (known) await lockAccount(db, known.uid);
  const account = known && (await findAccount(db, email));
  if (!account) throw new Error(`The account ${email} was deleted meanwhile: try again`);
  return account;
}

async function isCoach(db: Database, accountUid: string): Promise<boolean> {
  const role = await db
    .selectFrom("account_role")
    .select("account_uid")
    .where("account_uid", "=", accountUid)
    .where("role", "=", "coach")
    .executeTakeFirst();
  return role !== undefined;
}

/** Removes the password, the sessions and the known addresses, so that no earlier access remains. */
async function revokeAccess(options: Options, accountUid: string) {
  const { db } = options;
  await db
    .updateTable("account")
    .set({ password_hash: null })
    .where("uid", "=", accountUid)
    .execute();
  await endSessions(options, accountUid);
  await forgetAddresses(db, accountUid);
}

/**
 * Creates an account without a password, which the mailed link sets.
 * @returns undefined when the e-mail already has an account
 */
async function openAccount(
  db: Database,
  { email, formula }: Invited,
  now: Date,
): Promise<Account | undefined> {
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
    .onConflict((conflict) => conflict.column("identifier_key").doNothing())
    .returning(["uid", "identifier", "password_hash", "status"])
    .executeTakeFirst();
}
