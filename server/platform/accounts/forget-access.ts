import type { Database } from "../database/tables";
import { identifierKey } from "./identifier";
import { forgetAddresses } from "./known-address";

/**
 * Deletes what gives somebody power over an account besides its password and sessions: the addresses it is known
 * from, whoever signed in there, and the mailed links for another password, another e-mail or the release of the e-mail.
 */
export async function forgetAccess(
  db: Database,
  { uid, identifier }: { uid: string; identifier: string },
) {
  await forgetAddresses(db, uid);
  await db.deleteFrom("password_reset").where("account_uid", "=", uid).execute();
  await db.deleteFrom("email_change").where("account_uid", "=", uid).execute();
  await db.deleteFrom("address_release").where("account_uid", "=", uid).execute();
  await db
    .deleteFrom("password_reset_request")
    .where("identifier_key", "=", identifierKey(identifier))
    .execute();
}
