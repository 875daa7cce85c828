import { metadata } from "../../../app/contract/accounts";
import type { Database } from "../database/tables";

/** An article that another one replaces. */
type Renamed = { uid: string; by: string };

/** Accounts that are rewritten at a time. */
const BATCH = 500;

/**
 * Lets favorites follow articles that got another name: under the earlier one they would be left out of every
 * list. Of two names for the same article the first place counts.
 */
export async function renameFavorites(db: Database, renamed: readonly Renamed[]) {
  const names = new Map(renamed.map(({ uid, by }) => [uid, by]));
  for (const { uid } of renamed) {
    let last = "";
    for (;;) {
      const accounts = await selectKeeping(db, uid, last);
      for (const account of accounts) {
        await db
          .updateTable("account")
          .set({ metadata: withNames(account.metadata, names) })
          .where("uid", "=", account.uid)
          // What its person saves meanwhile, or erases, counts: such a favorite is left behind.
          .where("metadata", "=", account.metadata)
          .execute();
      }
      last = accounts.at(-1)?.uid ?? "";
      if (accounts.length < BATCH) break;
    }
  }
}

/** Accounts whose metadata hold the quoted uid. Other data than favorites may hold it too. */
const selectKeeping = (db: Database, uid: string, after: string) =>
  db
    .selectFrom("account")
    .select(["uid", "metadata"])
    .where("metadata", "like", `%${JSON.stringify(uid)}%`)
    .where("uid", ">", after)
    .orderBy("uid")
    .limit(BATCH)
    .execute();

function withNames(stored: string, names: ReadonlyMap<string, string>): string {
  const data = metadata.parse(JSON.parse(stored));
  const favorites = data.profile?.favorites;
  if (!favorites) return stored;
  const renamed = [...new Set(favorites.map((uid) => names.get(uid) ?? uid))];
  return JSON.stringify({ ...data, profile: { ...data.profile, favorites: renamed } });
}
