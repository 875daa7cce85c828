import type { Metadata } from "../../../app/contract/accounts";
import { inTransaction } from "../database/transaction";
import type { Database } from "../database/tables";
import { limit } from "../limits/limit";
import { METADATA_WRITES } from "../limits/rules";
import { requireActiveAccount } from "./lock";
import type { AccountContext } from "./context";

export async function readMetadata(db: Database, accountUid: string) {
  const { metadata, created_at, metadata_modified_at } = await db
    .selectFrom("account")
    .select(["metadata", "created_at", "metadata_modified_at"])
    .where("uid", "=", accountUid)
    .executeTakeFirstOrThrow();
  return { data: metadata, date: created_at, modified: metadata_modified_at };
}

/**
 * Replaces all metadata; the last write wins. A favorite that is given several times is stored once, where it
 * comes first: each is an article to be found and shown.
 * @throws Refusal 429; 401 when the account was deleted since the call began: it must stay empty
 */
export async function writeMetadata(context: AccountContext, accountUid: string, data: Metadata) {
  return inTransaction(context, async ({ db, clock }) => {
    await limit(db, clock, METADATA_WRITES, accountUid);
    await requireActiveAccount(db, accountUid);
    await db
      .updateTable("account")
      .set({
        metadata: JSON.stringify(withUniqueFavorites(data)),
        metadata_modified_at: clock.now().toISOString(),
      })
      .where("uid", "=", accountUid)
      .execute();
    return readMetadata(db, accountUid);
  });
}

function withUniqueFavorites(data: Metadata): Metadata {
  const { profile } = data;
  if (!profile?.favorites) return data;
  return { ...data, profile: { ...profile, favorites: [...new Set(profile.favorites)] } };
}
