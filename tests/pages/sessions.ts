import { embeddedPlatform } from "../../server/embedded";

/** As from another device: the browser still carries its token, which opens nothing any more. */
export async function endSessionsOf(email: string) {
  const { database } = await embeddedPlatform();
  const account = await database
    .selectFrom("account")
    .select("uid")
    .where("identifier", "=", email)
    .executeTakeFirstOrThrow();
  await database.deleteFrom("account_session").where("account_uid", "=", account.uid).execute();
}
