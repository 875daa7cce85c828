import type { Letter } from "../mail/letters";
import { links } from "../mail/links";
import { sendMail } from "../mail/outbox";
import { siteOf } from "../mail/site";
import { newUid } from "../ports/ids";
import type { AccountContext } from "./context";

type Account = { uid: string; identifier: string; origin: string | null };

/**
 * Sets a password in the caller's transaction and tells the owner. Links that were asked for before
 * open nothing any more.
 * @param replaced only while this is still the hash of the current password
 * @returns whether it was set
 */
export async function setPassword(
  context: AccountContext,
  account: Account,
  password_hash: string,
  replaced?: string | null,
): Promise<boolean> {
  const { db, clock } = context;
  const update = db
    .updateTable("account")
    .set({ password_hash })
    .where("uid", "=", account.uid)
    .where("status", "=", "active")
    .$if(replaced !== undefined, (q) => q.where("password_hash", "=", replaced ?? null));
  if ((await update.returning("uid").execute()).length === 0) return false;
  await db.deleteFrom("password_reset").where("account_uid", "=", account.uid).execute();
  const key = `password-changed:${newUid()}`;
  await sendMail(db, clock, {
    key,
    to: account.identifier,
    letter: await changed(context, account),
  });
  return true;
}

async function changed(context: AccountContext, { origin }: Account): Promise<Letter> {
  const site = await siteOf(context, origin);
  const date = context.clock.now().toISOString();
  return { kind: "password-changed", site, date, resetUrl: links.passwordReset(site) };
}
