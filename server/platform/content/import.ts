import { sql } from "kysely";
import { reviseContent } from "../database/content-revision";
import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import type { Log } from "../ports/log";
import { CONTENT_TABLES, emptyContent, type Content, type Rows } from "./content";
import { checkDatesOfEffect } from "./effect-dates";
import { ContentRefused, type Fault } from "./faults";
import { inspectImages, type ImageFile } from "./images/inspect";
import { withMadeImages } from "./images/make";
import { readStoredDigests, writeImages } from "./images/rows";
import { findMissingReferences } from "./missing-references";
import { parseContent } from "./parse";
import { indexArticles } from "./search/index-articles";
import { replaceFormer } from "./former-articles";
import { markCompared } from "./seeded-pages";
import { RECORD_TERMS, TERMS_PAGE } from "./terms";
import { batches, upsert } from "./upsert";
import { findDue, findUnpublished, sortRelations, storeWaiting, withoutArticles } from "./waiting";

type Inspected = { faults: readonly Fault[] };

/**
 * Reads and validates a folder without writing anything.
 * @param inspect reads the images of the folder
 * @throws ContentRefused with every fault of every file
 */
export async function checkContent(
  directory: string,
  database: () => Promise<Database>,
  inspect: (images: ImageFile[]) => Promise<Inspected> = inspectImages,
): Promise<Content> {
  const content = await parseContent(directory);
  checkDatesOfEffect(content);
  const missing = await findMissingReferences(content, database);
  const images = await inspect(content.images);
  const faults = [...content.faults, ...missing, ...images.faults];
  if (faults.length) throw new ContentRefused(faults);
  return content;
}

/**
 * Inserts or replaces all entries of a folder in one transaction, or none when one is faulty. Drafts and
 * articles of a later date wait.
 * @throws ContentRefused with every fault of every file
 */
export async function importContent(
  db: Database,
  directory: string,
  now = new Date(),
): Promise<Content> {
  const stored = await readStoredDigests(db);
  let fresh: ImageFile[] = [];
  const content = await checkContent(
    directory,
    () => Promise.resolve(db),
    async (images) => {
      const inspected = await inspectImages(images, stored);
      fresh = inspected.fresh;
      return inspected;
    },
  );
  await withMadeImages(fresh, async (made) => {
    // One at a time, before the texts: of hundreds in one transaction nothing else could be written for seconds.
    for (const image of made) {
      await db.transaction().execute(async (transaction) => {
        await writeImages(transaction, [image]);
        await reviseContent(transaction);
      });
    }
    await writeImport(db, { content, now });
  });
  return content;
}

async function writeImport(db: Database, { content, now }: { content: Content; now: Date }) {
  await db.transaction().execute(async (transaction) => {
    await writeUntil(transaction, content, now);
    await markCompared(
      transaction,
      content.rows.page.map(({ uid }) => uid),
    );
    const hasTerms = content.rows.page.some(({ uid }) => uid === TERMS_PAGE);
    if (hasTerms) await requestRecording(transaction);
  });
}

/** Writes what is published by now, in the caller's transaction, and notes what waits. */
export async function writeUntil(db: Database, content: Content, now: Date) {
  const { rows, former } = content;
  const waiting = findUnpublished(content, now);
  await storeWaiting(
    db,
    rows.article.map(({ uid }) => uid),
    waiting,
  );
  const isWaiting = new Set(waiting.map(({ uid }) => uid));
  await replaceFormer(
    db,
    former.filter(({ by }) => !isWaiting.has(by)),
  );
  const published = withoutArticles(rows, waiting);
  const article_relation = await sortRelations(db, published);
  await writeContent(db, { ...published, article_relation });
}

/**
 * Publishes the articles whose date has come; true where there were some. All at once, because they may name each
 * other. One that this release does not take any more stays where it is, and is logged.
 */
export async function publishDue(
  { db, log }: { db: Database; log: Log },
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const found = await findDue(transaction, now);
    for (const { faults } of found.filter(({ rows }) => rows.article.length === 0)) {
      log.error({ faults }, "a planned article cannot be published: correct and import its file");
    }
    const due = found.filter(({ rows }) => rows.article.length > 0);
    const content = emptyContent();
    for (const { rows, former } of due) {
      content.rows.article.push(...rows.article);
      content.rows.article_tag.push(...rows.article_tag);
      content.rows.article_relation.push(...rows.article_relation);
      content.former.push(...former);
    }
    if (due.length > 0) await writeUntil(transaction, content, now);
    return due.length > 0;
  });
}

/** Writes the rows in the caller's transaction; the new `content_revision` invalidates caches. */
export async function writeContent(db: Database, rows: Rows) {
  for (const uids of batches(rows.article.map(({ uid }) => uid))) {
    await db.deleteFrom("article_tag").where("article_uid", "in", uids).execute();
    await db.deleteFrom("article_relation").where("article_uid", "in", uids).execute();
  }
  const renamed = await findRenamed(db, rows);
  for (const table of CONTENT_TABLES) await upsert(db, table, rows[table]);
  await copyAuthorNames(db);
  await indexArticles(db, [...rows.article.map(({ uid }) => uid), ...renamed]);
  await reviseContent(db);
}

/** Articles that are found by a name that these rows change. */
async function findRenamed(db: Database, rows: Rows): Promise<string[]> {
  const authors = await findChangedNames(db, "author", rows.author);
  const categories = await findChangedNames(db, "category", rows.category);
  const tags = await findChangedNames(db, "tag", rows.tag);
  const articles = db.selectFrom("article").select("uid");
  const tagged = db.selectFrom("article_tag").select("article_uid as uid");
  const found = [
    authors.length ? await articles.where("author_uid", "in", authors).execute() : [],
    categories.length ? await articles.where("category_uid", "in", categories).execute() : [],
    tags.length ? await tagged.where("tag_uid", "in", tags).execute() : [],
  ];
  return found.flat().map(({ uid }) => uid);
}

async function findChangedNames(
  db: Database,
  table: "author" | "category" | "tag",
  rows: readonly { uid: string; name: string }[],
): Promise<string[]> {
  if (rows.length === 0) return [];
  const stored = await db.selectFrom(table).select(["uid", "name"]).execute();
  const names = new Map(stored.map(({ uid, name }) => [uid, name]));
  return rows.flatMap(({ uid, name }) => (names.has(uid) && names.get(uid) !== name ? uid : []));
}

/** An author's name may come with the articles, or change later. */
export async function copyAuthorNames(db: Database) {
  const name = sql<string>`(select sort_name from author where author.uid = article.author_uid)`;
  await db
    .updateTable("article")
    .set({ author_sort_name: name })
    .where("author_sort_name", "!=", name)
    .execute();
}

/** A running site records the terms, because it knows the seller's identity; otherwise the next start does. */
async function requestRecording(db: Database) {
  await enqueue(db, { kind: RECORD_TERMS, payload: {}, runAt: new Date(0) });
}
