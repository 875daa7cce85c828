import type { Letter } from "../mail/letters";
import { links } from "../mail/links";
import { sendMail } from "../mail/outbox";
import { findSite } from "../mail/site";
import { newUid } from "../ports/ids";
import type { AccountContext } from "./context";
import { forgetAccess } from "./forget-access";

type Account = { uid: string; identifier: string; origin: string | null };

/**
 * Sets a password in the caller's transaction, takes back every other access but sessions, and mails the owner.
 * @param expectedHash the expected current hash; a different one means that the password has
 *   changed since
 * @returns whether the password was set
 */
export async function setPassword(
  context: AccountContext,
  account: Account,
  password_hash: string,
  expectedHash?: string | null,
): Promise<boolean> {
  const { db, clock } = context;
  const isFirst = !(await hasPassword(context, account.uid));
  const update = db
    .updateTable("account")
    .set({ password_hash })
    .where("uid", "=", account.uid)
    .where("status", "=", "active")
    .$if(expectedHash !== undefined, (q) => q.where("password_hash", "=", expectedHash ?? null));
  if ((await update.returning("uid").execute()).length === 0) return false;
  await forgetAccess(db, account);
  const key = `password-changed:${newUid()}`;
  await sendMail(db, clock, {
    key,
    to: account.identifier,
    letter: await composeLetter(context, account, isFirst),
  });
  return true;
}

async function hasPassword({ db }: AccountContext, uid: string): Promise<boolean> {
  const account = db.selectFrom("account").select("password_hash").where("uid", "=", uid);
  return (await account.executeTakeFirst())?.password_hash !== null;
}

async function composeLetter(
  context: AccountContext,
  { origin }: Account,
  isFirst: boolean,
): Promise<Letter> {
  const site = await findSite(context, origin);
  const date = context.clock.now().toISOString();
  return { kind: "password-changed", site, date, resetUrl: links.passwordReset(site), isFirst };
}
