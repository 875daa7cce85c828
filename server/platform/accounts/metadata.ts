import { tagOfMetadata, type Metadata } from "../../../app/contract/accounts";
import { inTransaction } from "../database/transaction";
import type { Database } from "../database/tables";
import { Refusal } from "../http/refusal";
import { limit } from "../limits/limit";
import { METADATA_WRITES } from "../limits/rules";
import { requireActiveAccount } from "./active-account";
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
 * Replaces all metadata. The last write wins, unless the caller names the state that it has read. A favorite that is given several times is stored once, where it
 * comes first: each is an article to be found and shown.
 * @param replaced tag of the only state to replace (`tagOfMetadata`)
 * @throws Refusal 429; 401 when the account was deleted since the call began: it must stay empty; 409 for another state
 */
export async function writeMetadata(
  context: AccountContext,
  accountUid: string,
  data: Metadata,
  replaced?: string,
) {
  return inTransaction(context, async ({ db, clock }) => {
    await limit(db, clock, METADATA_WRITES, accountUid);
    await requireActiveAccount(db, accountUid);
    const stored = await readMetadata(db, accountUid);
    if (replaced !== undefined && replaced !== tagOfMetadata(stored)) {
      throw new Refusal(409, "The metadata has changed since it was read");
    }
    await db
      .updateTable("account")
      .set({
        metadata: JSON.stringify(withUniqueFavorites(data)),
        metadata_modified_at: laterThan(stored.modified, clock.now()),
      })
      .where("uid", "=", accountUid)
      .execute();
    return readMetadata(db, accountUid);
  });
}

/** Each state has a moment of its own, also in the same millisecond and after a clock was set back. */
const laterThan = (before: string, now: Date) =>
  new Date(Math.max(now.getTime(), Date.parse(before) + 1)).toISOString();

function withUniqueFavorites(data: Metadata): Metadata {
  const { profile } = data;
  if (!profile?.favorites) return data;
  return { ...data, profile: { ...profile, favorites: [...new Set(profile.favorites)] } };
}
