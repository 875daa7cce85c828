import { startOfDate } from "../../../app/contract/calendar";
import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import type { Content, Rows } from "./content";
import { parseStoredArticle } from "./parse";
import { forgetArticles } from "./search/index-articles";
import { batches } from "./upsert";

/** Kind of the job that publishes the articles whose date has come. */
export const PUBLISH = "content.publish";

/** An article that is imported and not published. `publishAt`: null for a draft. */
export type WaitingArticle = { uid: string; publishAt: string | null };

/** When an article of that date is published; a day begins in Paris. */
const publicationOf = (date: string) =>
  date.includes("T") ? date : startOfDate(date).toISOString();

/** Finds drafts and articles of a later date. */
export const findUnpublished = (
  { rows, drafts }: Pick<Content, "rows" | "drafts">,
  now: Date,
): WaitingArticle[] =>
  rows.article
    .map(({ uid, date }) => ({ uid, publishAt: drafts.has(uid) ? null : publicationOf(date) }))
    .filter(({ publishAt }) => publishAt === null || Date.parse(publishAt) > now.getTime());

/** The rows without those articles; their sources stay. */
export function withoutArticles(rows: Rows, articles: readonly WaitingArticle[]): Rows {
  const uids = new Set(articles.map(({ uid }) => uid));
  return {
    ...rows,
    article: rows.article.filter(({ uid }) => !uids.has(uid)),
    article_tag: rows.article_tag.filter(({ article_uid }) => !uids.has(article_uid)),
    article_relation: rows.article_relation.filter(({ article_uid }) => !uids.has(article_uid)),
  };
}

/**
 * Notes in the caller's transaction which articles of an import wait, and schedules their publication. One that
 * was published is withdrawn; links to it are kept for its return.
 * @param imported uids of all articles of the import: whether they waited before counts no more
 */
export async function storeWaiting(
  db: Database,
  imported: readonly string[],
  waiting: readonly WaitingArticle[],
) {
  for (const uids of batches(imported)) {
    await db.deleteFrom("waiting_article").where("uid", "in", uids).execute();
  }
  for (const some of batches(waiting)) {
    const uids = some.map(({ uid }) => uid);
    await withdrawArticles(db, uids);
    const rows = some.map(({ uid, publishAt }) => ({ uid, publish_at: publishAt }));
    await db.insertInto("waiting_article").values(rows).execute();
  }
  for (const publishAt of new Set(waiting.map((article) => article.publishAt))) {
    if (publishAt === null) continue;
    const key = `${PUBLISH}:${publishAt}`;
    await enqueue(db, { kind: PUBLISH, key, payload: {}, runAt: new Date(publishAt) });
  }
}

/** Takes articles out of all lists. What names them as related waits for their return. */
async function withdrawArticles(db: Database, uids: readonly string[]) {
  await db.deleteFrom("article_tag").where("article_uid", "in", uids).execute();
  await db.deleteFrom("article_relation").where("article_uid", "in", uids).execute();
  await db.deleteFrom("waiting_relation").where("article_uid", "in", uids).execute();
  const named = await db
    .deleteFrom("article_relation")
    .where("related_uid", "in", uids)
    .returningAll()
    .execute();
  await parkRelations(db, named);
  await forgetArticles(db, uids);
  await db.deleteFrom("article").where("uid", "in", uids).execute();
}

type Relation = Rows["article_relation"][number];

/** Keeps relations until the articles that they lead to are published. */
export async function parkRelations(db: Database, relations: readonly Relation[]) {
  for (const some of batches(relations)) {
    await db
      .insertInto("waiting_relation")
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/**
 * The relations to store with the articles of an import: their own and those that waited for them, as far as both
 * ends are published. What leads to a waiting article is parked; what leads nowhere any more is left out.
 * @param coming uids of articles that later parts of the import bring: they are waited for, too
 */
export async function sortRelations(
  db: Database,
  rows: Rows,
  coming: ReadonlySet<string> = new Set(),
): Promise<Relation[]> {
  const written = rows.article.map(({ uid }) => uid);
  const returned: Relation[] = [];
  for (const uids of batches(written)) {
    await db.deleteFrom("waiting_relation").where("article_uid", "in", uids).execute();
    const parked = db.deleteFrom("waiting_relation").where("related_uid", "in", uids);
    returned.push(...(await parked.returningAll().execute()));
  }
  const relations = [...rows.article_relation, ...returned];
  const ends = relations.flatMap(({ article_uid, related_uid }) => [article_uid, related_uid]);
  const published = new Set([...written, ...(await findStoredUids(db, "article", ends))]);
  const waiting = await findStoredUids(db, "waiting_article", ends);
  const isAwaited = (uid: string) => waiting.has(uid) || (coming.has(uid) && !published.has(uid));
  const from = relations.filter(({ article_uid }) => published.has(article_uid));
  await parkRelations(
    db,
    from.filter(({ related_uid }) => isAwaited(related_uid)),
  );
  const storable = from.filter(({ related_uid }) => published.has(related_uid));
  return [
    ...new Map(storable.map((one) => [`${one.article_uid} ${one.related_uid}`, one])).values(),
  ];
}

async function findStoredUids(
  db: Database,
  table: "article" | "waiting_article",
  wanted: readonly string[],
): Promise<Set<string>> {
  const stored = new Set<string>();
  for (const uids of batches([...new Set(wanted)])) {
    const rows = await db.selectFrom(table).select("uid").where("uid", "in", uids).execute();
    for (const { uid } of rows) stored.add(uid);
  }
  return stored;
}

/** Finds the waiting articles whose time has come. */
export async function findDue(db: Database, now: Date): Promise<string[]> {
  const due = await selectDue(db, now).orderBy("uid").execute();
  return due.map(({ uid }) => uid);
}

/** Reads those of them that are still due. */
export async function readDue(
  db: Database,
  uids: readonly string[],
  now: Date,
): Promise<Content[]> {
  const due = await selectDue(db, now).where("uid", "in", uids).orderBy("uid").execute();
  const found = await Promise.all(due.map(({ uid }) => findSource(db, uid)));
  return found.flatMap((article) => article ?? []);
}

const selectDue = (db: Database, now: Date) =>
  db.selectFrom("waiting_article").select("uid").where("publish_at", "<=", now.toISOString());

/** The authors of the articles that wait. */
export async function findWaitingAuthors(db: Database): Promise<string[]> {
  const waiting = await listWaiting(db);
  const found = await Promise.all(waiting.map(({ uid }) => findSource(db, uid)));
  return found.flatMap(
    (content) => content?.rows.article.map(({ author_uid }) => author_uid) ?? [],
  );
}

/** Reads a waiting article and when it is published; null where none of that uid waits. */
export async function findWaiting(
  db: Database,
  uid: string,
): Promise<(Content & Pick<WaitingArticle, "publishAt">) | null> {
  const waiting = await db
    .selectFrom("waiting_article")
    .select("publish_at as publishAt")
    .where("uid", "=", uid)
    .executeTakeFirst();
  const content = waiting && (await findSource(db, uid));
  return content ? { ...content, ...waiting } : null;
}

async function findSource(db: Database, uid: string): Promise<Content | null> {
  const row = await db
    .selectFrom("content_source")
    .select("source")
    .where("kind", "=", "article")
    .where("uid", "=", uid)
    .executeTakeFirst();
  return row ? parseStoredArticle(uid, row.source) : null;
}

/** All waiting articles: drafts first, then by the time of their publication. */
export async function listWaiting(db: Database): Promise<WaitingArticle[]> {
  const rows = await db.selectFrom("waiting_article").select(["uid", "publish_at"]).execute();
  const place = ({ uid, publish_at }: (typeof rows)[number]) => `${publish_at ?? ""} ${uid}`;
  return rows
    .sort((one, other) => (place(one) < place(other) ? -1 : 1))
    .map(({ uid, publish_at }) => ({ uid, publishAt: publish_at }));
}
