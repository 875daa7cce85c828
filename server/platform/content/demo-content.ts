import { readFile } from "node:fs/promises";
import { declineDemonstration } from "../database/seed-entries";
import { reviseContent } from "../database/content-revision";
import type { Database } from "../database/tables";
import { listImages, readDirectory, type ContentFile } from "./directory";
import { removeArticles } from "./former-articles";
import { digestOfBytes } from "./images/digest";
import { IMAGE_PATH } from "./images/names";
import { readStoredDigests, removeImages } from "./images/rows";
import { findWaitingAuthors } from "./waiting";

/** Content of the demonstration, whose authors do not exist. */
export type DemoContent = { articles: string[]; authors: string[]; medias: string[] };

type Options = {
  db: Database;
  /** Content of the product. */
  contentDir: string;
};

/**
 * Finds articles, authors and medias of the demonstration whose text nobody has changed. A changed one is
 * its owner's.
 */
export async function findDemoContent(options: Options): Promise<DemoContent> {
  const unchanged = await readUnchanged(options);
  return {
    articles: unchanged("articles", "article"),
    authors: unchanged("authors", "author"),
    medias: unchanged("medias", "media"),
  };
}

/** Pages that speak of the demonstration's site, as it does. A legal page is checked by its values. */
const PRESENTING = ["home", "about"];

/** Finds pages that present the demonstration's site, and whose text nobody has changed. */
export async function findDemoPresentation(options: Options): Promise<string[]> {
  const unchanged = await readUnchanged(options);
  return unchanged("pages", "page").filter((uid) => PRESENTING.includes(uid));
}

/** Gives the uids of a kind whose stored text is that of the product. */
async function readUnchanged({ db, contentDir }: Options) {
  const { entries } = await readDirectory(contentDir);
  const sources = await db.selectFrom("content_source").selectAll().execute();
  const stored = new Map(sources.map(({ kind, uid, source }) => [`${kind} ${uid}`, source]));
  return (folder: ContentFile["kind"], kind: string) =>
    entries
      .filter(
        (entry) => entry.kind === folder && stored.get(`${kind} ${entry.uid}`) === entry.source,
      )
      .map(({ uid }) => uid);
}

/**
 * Removes the content of the demonstration, which no later start brings back, nor adds to. An author stays while
 * another article or media names them. Categories and tags stay: they say nothing of anybody.
 * @returns what was removed
 */
export async function retireDemoContent({ db, contentDir }: Options): Promise<DemoContent> {
  return db.transaction().execute(async (transaction) => {
    const found = await findDemoContent({ db: transaction, contentDir });
    await removeArticles(transaction, found.articles);
    if (found.medias.length > 0) {
      await transaction.deleteFrom("media").where("uid", "in", found.medias).execute();
    }
    const authors = await removeAuthors(transaction, found.authors);
    const removed = { ...found, authors };
    await forgetSources(transaction, removed);
    await removeUnneededImages({ db: transaction, contentDir });
    await declineDemonstration(transaction);
    // A new revision invalidates cached pages that show it.
    await reviseContent(transaction);
    return removed;
  });
}

async function removeAuthors(transaction: Database, uids: string[]): Promise<string[]> {
  const planned = new Set(await findWaitingAuthors(transaction));
  const unneeded = uids.filter((uid) => !planned.has(uid));
  if (unneeded.length === 0) return [];
  const removed = await transaction
    .deleteFrom("author")
    .where("uid", "in", unneeded)
    .where("uid", "not in", (e) => e.selectFrom("article").select("author_uid"))
    .where((e) =>
      e.not(
        e.exists(
          e.selectFrom("media").select("media.uid").whereRef("media.author_uid", "=", "author.uid"),
        ),
      ),
    )
    .returning("uid")
    .execute();
  return removed.map(({ uid }) => uid);
}

/** Images of the demonstration stay while a text that stays names them. */
async function removeUnneededImages({ db, contentDir }: Options) {
  const stored = await readStoredDigests(db);
  const names: string[] = [];
  for (const { name, file } of await listImages(contentDir)) {
    if (!stored.has(`${name} ${digestOfBytes(await readFile(file))}`)) continue;
    const naming = await db
      .selectFrom("content_source")
      .select("uid")
      .where("source", "like", `%${IMAGE_PATH}${name}%`)
      .limit(1)
      .executeTakeFirst();
    if (!naming) names.push(name);
  }
  await removeImages(db, names);
}

async function forgetSources(transaction: Database, { articles, authors, medias }: DemoContent) {
  const kinds = [
    ["article", articles],
    ["author", authors],
    ["media", medias],
  ] as const;
  for (const [kind, uids] of kinds) {
    if (uids.length === 0) continue;
    await transaction
      .deleteFrom("content_source")
      .where("kind", "=", kind)
      .where("uid", "in", uids)
      .execute();
  }
}
