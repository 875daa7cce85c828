import type { Database } from "../database/tables";
import type { Content } from "./content";
import { renameFavorites } from "./favorites";
import { articlePath } from "./redirections";
import { forgetArticles } from "./search/index-articles";
import { upsert } from "./upsert";
import { parkRelations } from "./waiting";

/**
 * Replaces what articles were before: their earlier addresses lead to them for good (301), and what was imported
 * under an earlier uid is gone.
 */
export async function replaceFormer(db: Database, former: Content["former"]) {
  if (former.length === 0) return;
  const redirections = new Map(
    former.map(({ uid, by }) => [
      articlePath(uid),
      { path: articlePath(uid), target: articlePath(by), status: 301 as const },
    ]),
  );
  await leadOn(db, former);
  await upsert(db, "redirection", [...redirections.values()]);
  for (const { uid, by } of former) await moveRelations(db, uid, by);
  await renameFavorites(db, await selectStored(db, former));
  const uids = [...new Set(former.map(({ uid }) => uid))];
  await removeArticles(db, uids);
  await db.deleteFrom("waiting_article").where("uid", "in", uids).execute();
  await db
    .deleteFrom("content_source")
    .where("kind", "=", "article")
    .where("uid", "in", uids)
    .execute();
}

/** Selects renamed articles whose earlier article is still stored: an import repeats the names of old files. */
async function selectStored(db: Database, former: Content["former"]) {
  const uids = former.map(({ uid }) => uid);
  const rows = await db.selectFrom("article").select("uid").where("uid", "in", uids).execute();
  const stored = new Set(rows.map(({ uid }) => uid));
  return former.filter(({ uid }) => stored.has(uid));
}

/**
 * Redirections to the earlier address now lead to the new one. A redirection from the new address is removed: an
 * article may get an earlier name back.
 */
async function leadOn(db: Database, former: Content["former"]) {
  for (const { uid, by } of former) {
    await db.deleteFrom("redirection").where("path", "=", articlePath(by)).execute();
    await db
      .updateTable("redirection")
      .set({ target: articlePath(by) })
      .where("target", "=", articlePath(uid))
      .execute();
  }
}

/** Relations to the earlier uid are changed to the new one, which counts once the new article is stored. */
async function moveRelations(db: Database, uid: string, by: string) {
  const named = [
    ...(await selectNaming(db, "article_relation", uid)),
    ...(await selectNaming(db, "waiting_relation", uid)),
  ];
  const moved = named.filter(({ article_uid }) => article_uid !== by);
  await parkRelations(
    db,
    moved.map((relation) => ({ ...relation, related_uid: by })),
  );
}

const selectNaming = (db: Database, table: "article_relation" | "waiting_relation", uid: string) =>
  db.selectFrom(table).selectAll().where("related_uid", "=", uid).execute();

/** Removes articles with all that names them. Their sources stay. */
export async function removeArticles(db: Database, uids: readonly string[]) {
  if (uids.length === 0) return;
  await db.deleteFrom("article_tag").where("article_uid", "in", uids).execute();
  await db
    .deleteFrom("article_relation")
    .where((e) => e.or([e("article_uid", "in", uids), e("related_uid", "in", uids)]))
    .execute();
  await db
    .deleteFrom("waiting_relation")
    .where((e) => e.or([e("article_uid", "in", uids), e("related_uid", "in", uids)]))
    .execute();
  await forgetArticles(db, uids);
  await db.deleteFrom("article").where("uid", "in", uids).execute();
}
