import { stat } from "node:fs/promises";
import { createHash } from "node:crypto";
import { findNewEntries, claimNewEntries } from "../database/seed-entries";
import type { Database } from "../database/tables";
import type { Rows } from "./content";
import { readDirectory } from "./directory";
import type { Kind } from "./formats";
import { entryOfImage, faultsOf, seedImages, withSeedImages, type SeedImages } from "./images/seed";
import { checkContent, writeUntil } from "./import";

const KINDS = {
  authors: "author",
  categories: "category",
  tags: "tag",
  articles: "article",
  pages: "page",
  medias: "media",
} as const satisfies Record<Kind, Rows["content_source"][number]["kind"]>;

type Folders = {
  /** Content of the product: demonstration articles, and the pages that the site leads to. */
  contentDir: string;
  /** The owner's content, in place of the demonstration. */
  ownContentDir?: string | undefined;
  /** Whether the demonstration is wanted; by default where the owner has no content. */
  demo?: boolean;
};

/** All texts of the demonstration are published, whatever the clock says. */
const END_OF_TIME = new Date(8.64e15);

/**
 * Imports what this database was never offered: all of it into a new one, and into an older one what a
 * release has added. What editors put there or changed is spared. Without the demonstration only those
 * pages of the product are imported that the owner's content lacks, such as the terms.
 * @throws ContentRefused with every fault of every file
 */
export async function seedContent(db: Database, folders: Folders): Promise<void> {
  await withSeedImages(db, folders, (images) =>
    db.transaction().execute((within) => seedWithImages(within, folders, images)),
  );
}

/** The same in the caller's transaction, with the images that were made before it. */
export async function seedWithImages(db: Database, folders: Folders, images: SeedImages) {
  const { contentDir, ownContentDir, demo = ownContentDir === undefined } = folders;
  if (ownContentDir !== undefined) await refuseMissing(ownContentDir);
  await seedImages(db, images);
  if (ownContentDir !== undefined) await seedFolder(db, ownContentDir, { now: new Date(), images });
  const isWanted = (name: string) => demo || name.startsWith("page ");
  await seedFolder(db, contentDir, { now: END_OF_TIME, images, isWanted });
}

async function refuseMissing(ownContentDir: string) {
  const folder = await stat(ownContentDir).catch(() => null);
  if (!folder?.isDirectory()) throw new Error(`CONTENT_DIR: there is no folder ${ownContentDir}`);
}

type Seeding = { now: Date; images: SeedImages; isWanted?: (name: string) => boolean };

async function seedFolder(
  transaction: Database,
  contentDir: string,
  { now, images, isWanted = () => true }: Seeding,
) {
  // Each start reads only the names; texts are parsed when there is a new entry.
  const names = (await readEntryNames(contentDir)).filter(isWanted);
  if ((await findNewEntries(transaction, names)).length === 0) return;
  const content = await checkContent(
    contentDir,
    () => Promise.resolve(transaction),
    (ofFolder) => Promise.resolve(faultsOf(images, ofFolder)),
  );
  const { rows } = content;
  const redirections = rows.redirection.map(({ path }) => `redirection ${path}`).filter(isWanted);
  const fresh = await claimNewEntries(transaction, [...names, ...redirections]);
  const wanted = selectRows(rows, await excludeStored(transaction, fresh));
  const uids = new Set(wanted.article.map(({ uid }) => uid));
  const former = content.former.filter(({ by }) => uids.has(by));
  await writeUntil(transaction, { ...content, rows: wanted, former }, { now });
}

/** Names of all entries; the redirections count as one entry, named by their hash. */
async function readEntryNames(contentDir: string): Promise<string[]> {
  const { entries, images, redirects } = await readDirectory(contentDir);
  const names = [
    ...entries.map(({ kind, uid }) => `${KINDS[kind]} ${uid}`),
    ...images.map(entryOfImage),
  ];
  if (!redirects) return names;
  return [...names, `redirects ${createHash("sha256").update(redirects.source).digest("hex")}`];
}

async function excludeStored(
  db: Database,
  names: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const entries = await db.selectFrom("content_source").select(["kind", "uid"]).execute();
  const paths = await db.selectFrom("redirection").select("path").execute();
  const stored = new Set([
    ...entries.map(({ kind, uid }) => `${kind} ${uid}`),
    ...paths.map(({ path }) => `redirection ${path}`),
  ]);
  return new Set([...names].filter((name) => !stored.has(name)));
}

function selectRows(rows: Rows, names: ReadonlySet<string>): Rows {
  const isNew = (kind: string, uid: string) => names.has(`${kind} ${uid}`);
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
