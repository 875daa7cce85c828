import { sql } from "kysely";
import { reviseContent } from "../database/content-revision";
import type { Database } from "../database/tables";
import { inShortTransactions } from "../database/transaction";
import type { Rows } from "./content";
import { indexArticles } from "./search/index-articles";
import { slices } from "./upsert";

/**
 * Authors, categories and tags that got another name: settings `renamed:tag:lune`, until the articles that are found
 * by the name are indexed anew. An import that ends in the middle leaves them to the next one.
 */
const RENAMED = "renamed:";
const KINDS = ["author", "category", "tag"] as const;

/** Articles that are indexed anew in one transaction. */
const AT_ONCE = 10;

/** Notes in the caller's transaction which stored names these rows change. */
export async function noteRenamed(db: Database, rows: Pick<Rows, (typeof KINDS)[number]>) {
  for (const kind of KINDS) {
    if (rows[kind].length === 0) continue;
    const stored = await db.selectFrom(kind).select(["uid", "name"]).execute();
    const names = new Map(stored.map(({ uid, name }) => [uid, name]));
    const renamed = rows[kind].filter(({ uid, name }) => (names.get(uid) ?? name) !== name);
    for (const { uid } of renamed) {
      await db
        .insertInto("setting")
        .values({ name: `${RENAMED}${kind}:${uid}`, value: "" })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
    }
  }
}

/**
 * Brings the articles of renamed entries up to date, a few at a time.
 * @param written uids of articles that were written since
 */
export async function indexRenamed(db: Database, written: ReadonlySet<string>) {
  const notes = await db
    .selectFrom("setting")
    .select("name")
    .where("name", "like", `${RENAMED}%`)
    .execute();
  for (const { name } of notes) {
    const [, kind = "", uid = ""] = name.split(":");
    const uids = (await findNamed(db, kind, uid)).filter((article) => !written.has(article));
    await inShortTransactions(db, slices(uids, AT_ONCE), async (transaction, some) => {
      await copyAuthorNames(transaction, some);
      await indexArticles(transaction, some);
      await reviseContent(transaction);
    });
    await db.deleteFrom("setting").where("name", "=", name).execute();
  }
}

async function findNamed(db: Database, kind: string, uid: string): Promise<string[]> {
  const articles = db.selectFrom("article").select("uid");
  const found = {
    author: articles.where("author_uid", "=", uid),
    category: articles.where("category_uid", "=", uid),
    tag: db.selectFrom("article_tag").select("article_uid as uid").where("tag_uid", "=", uid),
  };
  const query = KINDS.filter((each) => each === kind).map((each) => found[each]);
  const rows = await Promise.all(query.map((articlesOf) => articlesOf.execute()));
  return rows.flat().map((row) => row.uid);
}

/** An author's name may come with the articles, or change later. */
export async function copyAuthorNames(db: Database, articles?: readonly string[]) {
  const name = sql<string>`(select sort_name from author where author.uid = article.author_uid)`;
  let update = db
    .updateTable("article")
    .set({ author_sort_name: name })
    .where("author_sort_name", "!=", name);
  if (articles) update = update.where("uid", "in", articles);
  await update.execute();
}
