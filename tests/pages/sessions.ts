import { embeddedPlatform } from "../../server/embedded";

/**
 * Ends the session at the platform, as another device would. The browser keeps a token that is
 * refused.
 */
export async function endSessionsOf(email: string) {
  const { database } = await embeddedPlatform();
  const account = await database
    .selectFrom("account")
    .select("uid")
    .where("identifier", "=", email)
    .executeTakeFirstOrThrow();
  await database.deleteFrom("account_session").where("account_uid", "=", account.uid).execute();
}
