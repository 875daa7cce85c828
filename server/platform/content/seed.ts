import type { Database } from "../database/tables";
import type { Rows } from "./content";
import { checkContent, writeContent } from "./import";

const SEEDED = "content_seeded";

/**
 * Imports the demo content into a new database, once, and spares what editors put there before.
 * @throws ContentRefused with every fault of every file
 */
export async function seedContent(db: Database, contentDir: string) {
  const seeded = await db
    .selectFrom("setting")
    .select("name")
    .where("name", "=", SEEDED)
    .executeTakeFirst();
  if (seeded) return;
  const { rows } = await checkContent(contentDir, () => Promise.resolve(db));
  await db.transaction().execute(async (transaction) => {
    // Of two processes that start at once the second waits here, then finds the first one's row.
    const mine = await transaction
      .insertInto("setting")
      .values({ name: SEEDED, value: "1" })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .returning("name")
      .executeTakeFirst();
    if (mine) await writeContent(transaction, await withoutStored(transaction, rows));
  });
}

async function withoutStored(db: Database, rows: Rows): Promise<Rows> {
  const entries = await db.selectFrom("content_source").select(["kind", "uid"]).execute();
  const paths = await db.selectFrom("redirection").select("path").execute();
  const stored = new Set([
    ...entries.map(({ kind, uid }) => `${kind} ${uid}`),
    ...paths.map(({ path }) => `redirection ${path}`),
  ]);
  const isNew = (kind: string, uid: string) => !stored.has(`${kind} ${uid}`);
  return {
    author: rows.author.filter(({ uid }) => isNew("author", uid)),
    category: rows.category.filter(({ uid }) => isNew("category", uid)),
    tag: rows.tag.filter(({ uid }) => isNew("tag", uid)),
    article: rows.article.filter(({ uid }) => isNew("article", uid)),
    article_tag: rows.article_tag.filter((row) => isNew("article", row.article_uid)),
    article_relation: rows.article_relation.filter((row) => isNew("article", row.article_uid)),
    page: rows.page.filter(({ uid }) => isNew("page", uid)),
    media: rows.media.filter(({ uid }) => isNew("media", uid)),
    redirection: rows.redirection.filter(({ path }) => isNew("redirection", path)),
    content_source: rows.content_source.filter(({ kind, uid }) => isNew(kind, uid)),
  };
}
