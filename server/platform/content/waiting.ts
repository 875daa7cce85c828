import { startOfDay } from "../../../app/contract/calendar";
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
  date.includes("T") ? date : startOfDay(new Date(`${date}T12:00:00Z`)).toISOString();

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
  const named = await db
    .deleteFrom("article_relation")
    .where("related_uid", "in", uids)
    .returningAll()
    .execute();
  if (named.length > 0) await db.insertInto("waiting_relation").values(named).execute();
  await forgetArticles(db, uids);
  await db.deleteFrom("article").where("uid", "in", uids).execute();
}

/**
 * The relations that can be stored: those to published articles, and those that waited for articles of this import.
 * The others wait in their place.
 */
export async function sortRelations(db: Database, rows: Rows): Promise<Rows["article_relation"]> {
  const written = new Set(rows.article.map(({ uid }) => uid));
  for (const uids of batches([...written])) {
    await db.deleteFrom("waiting_relation").where("article_uid", "in", uids).execute();
  }
  const waiting = await findWaitingUids(db);
  const [later, now] = [
    rows.article_relation.filter(({ related_uid }) => waiting.has(related_uid)),
    rows.article_relation.filter(({ related_uid }) => !waiting.has(related_uid)),
  ];
  for (const some of batches(later)) await db.insertInto("waiting_relation").values(some).execute();
  for (const uids of batches([...written])) {
    const returned = await db
      .deleteFrom("waiting_relation")
      .where("related_uid", "in", uids)
      .returningAll()
      .execute();
    now.push(...returned);
  }
  return now;
}

async function findWaitingUids(db: Database) {
  const rows = await db.selectFrom("waiting_article").select("uid").execute();
  return new Set(rows.map(({ uid }) => uid));
}

/** Takes the articles whose time has come from those that wait. */
export async function takeDue(db: Database, now: Date): Promise<Content[]> {
  const due = await db
    .deleteFrom("waiting_article")
    .where("publish_at", "<=", now.toISOString())
    .returning("uid")
    .execute();
  const found = await Promise.all(due.map(({ uid }) => findSource(db, uid)));
  return found.flatMap((article) => article ?? []);
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
