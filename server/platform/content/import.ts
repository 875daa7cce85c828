import { reviseContent } from "../database/content-revision";
import type { Database } from "../database/tables";
import { inShortTransactions } from "../database/transaction";
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
import { indexArticles, readTexts, tidyIndex, type ReadTexts } from "./search/index-articles";
import { replaceFormer } from "./former-articles";
import { partsOf } from "./parts";
import { copyAuthorNames, indexRenamed, noteRenamed } from "./renamed";
import { markCompared } from "./seeded-pages";
import { RECORD_TERMS, TERMS_PAGE } from "./terms";
import { batches, slices, upsert } from "./upsert";
import {
  findDue,
  findUnpublished,
  readDue,
  sortRelations,
  storeWaiting,
  withoutArticles,
} from "./waiting";

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
 * Inserts or replaces all entries of a folder, or none when one is faulty. Drafts and articles of a later
 * date wait. A folder of more than ten articles is written in several transactions (decision 0063).
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
    // Before the texts, which show them.
    await inShortTransactions(db, made, async (transaction, image) => {
      await writeImages(transaction, [image]);
      await reviseContent(transaction);
    });
    await writeImport(db, { content, now });
  });
  return content;
}

async function writeImport(db: Database, { content, now }: { content: Content; now: Date }) {
  const articles = new Set(content.rows.article.map(({ uid }) => uid));
  await inShortTransactions(db, withTexts(partsOf(content)), async (transaction, part) => {
    await writeUntil(transaction, part, { ...part, now, coming: articles });
    const pages = part.rows.page.map(({ uid }) => uid);
    await markCompared(transaction, pages);
    if (pages.includes(TERMS_PAGE)) await requestRecording(transaction);
  });
  await indexRenamed(db, articles);
  await tidyIndex(db, articles.size);
}

/** Reads the texts of each part before its transaction begins. */
function* withTexts(parts: readonly Content[]) {
  for (const part of parts) yield { ...part, texts: readTexts(part.rows.article) };
}

type Writing = {
  now: Date;
  /** Articles that other parts bring. */
  coming?: ReadonlySet<string>;
  texts?: ReadTexts;
};

/** Writes what is published by now, in the caller's transaction, and notes what waits. */
export async function writeUntil(db: Database, content: Content, { now, coming, texts }: Writing) {
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
  const article_relation = await sortRelations(db, published, coming);
  await writeContent(db, { ...published, article_relation }, texts);
}

/** So many planned articles are published in one transaction. */
const DUE_AT_ONCE = 10;

/**
 * Publishes the articles whose date has come; true where there were some. They may name each other: what is not
 * published yet waits. One that this release does not take any more stays where it is, and is logged.
 */
export async function publishDue(
  { db, log }: { db: Database; log: Log },
  now: Date,
): Promise<boolean> {
  const due = await findDue(db, now);
  let count = 0;
  await inShortTransactions(db, slices(due, DUE_AT_ONCE), async (transaction, uids) => {
    const found = await readDue(transaction, uids, now);
    const content = emptyContent();
    for (const { rows, former, faults } of found) {
      if (rows.article.length === 0) {
        const fault = "a planned article cannot be published: correct and import its file";
        log.error({ faults }, fault);
      }
      content.rows.article.push(...rows.article);
      content.rows.article_tag.push(...rows.article_tag);
      content.rows.article_relation.push(...rows.article_relation);
      content.former.push(...former);
    }
    if (content.rows.article.length === 0) return;
    await writeUntil(transaction, content, { now });
    count += content.rows.article.length;
  });
  return count > 0;
}

/** Writes the rows in the caller's transaction; the new `content_revision` invalidates caches. */
export async function writeContent(db: Database, rows: Rows, texts?: ReadTexts) {
  const articles = rows.article.map(({ uid }) => uid);
  for (const uids of batches(articles)) {
    await db.deleteFrom("article_tag").where("article_uid", "in", uids).execute();
    await db.deleteFrom("article_relation").where("article_uid", "in", uids).execute();
  }
  await noteRenamed(db, rows);
  for (const table of CONTENT_TABLES) await upsert(db, table, rows[table]);
  for (const uids of batches(articles)) await copyAuthorNames(db, uids);
  await indexArticles(db, articles, texts);
  await reviseContent(db);
}

/** A running site records the terms, because it knows the seller's identity; otherwise the next start does. */
async function requestRecording(db: Database) {
  await enqueue(db, { kind: RECORD_TERMS, payload: {}, runAt: new Date(0) });
}
