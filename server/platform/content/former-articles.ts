import type { Database } from "../database/tables";
import type { Content } from "./content";
import { forgetArticles } from "./search/index-articles";
import { upsert } from "./upsert";

/** Address of an article on the site. */
export const articlePath = (uid: string) => `/article/${uid}`;

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
  await upsert(db, "redirection", [...redirections.values()]);
  const uids = [...new Set(former.map(({ uid }) => uid))];
  await removeArticles(db, uids);
  await db.deleteFrom("waiting_article").where("uid", "in", uids).execute();
  await db.deleteFrom("waiting_relation").where("related_uid", "in", uids).execute();
  await db
    .deleteFrom("content_source")
    .where("kind", "=", "article")
    .where("uid", "in", uids)
    .execute();
}

/** Removes articles with all that names them. Their sources stay. */
export async function removeArticles(db: Database, uids: readonly string[]) {
  if (uids.length === 0) return;
  await db.deleteFrom("article_tag").where("article_uid", "in", uids).execute();
  await db
    .deleteFrom("article_relation")
    .where((e) => e.or([e("article_uid", "in", uids), e("related_uid", "in", uids)]))
    .execute();
  await forgetArticles(db, uids);
  await db.deleteFrom("article").where("uid", "in", uids).execute();
}
