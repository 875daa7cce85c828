import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import type { Database } from "../database/tables";
import { REDIRECTS_FILE } from "./directory";
import type { Kind } from "./formats";
import { bytesOf } from "./images/rows";

const FOLDERS = {
  author: "authors",
  category: "categories",
  tag: "tags",
  article: "articles",
  page: "pages",
  media: "medias",
} as const satisfies Record<string, Kind>;

export type Exported = {
  files: number;
  /** `kind uid` of rows that are not exported because they have no Markdown source. */
  leftOut: string[];
};

/** Writes the files as they were imported and overwrites files of the same name. */
export async function exportContent(db: Database, directory: string): Promise<Exported> {
  const sources = await db.selectFrom("content_source").selectAll().execute();
  for (const folder of Object.values(FOLDERS)) {
    await mkdir(join(directory, folder), { recursive: true });
  }
  for (const { kind, uid, source } of sources) {
    await writeFile(join(directory, FOLDERS[kind], `${uid}.md`), source);
  }
  await exportRedirects(db, directory);
  const images = await exportImages(db, directory);
  return { files: sources.length + images + 1, leftOut: await findWithoutSource(db) };
}

/** One after another: all of them may not fit into memory. */
async function exportImages(db: Database, directory: string): Promise<number> {
  const images = await db.selectFrom("image").select("name").execute();
  for (const { name } of images) {
    const { original } = await db
      .selectFrom("image")
      .select("original")
      .where("name", "=", name)
      .executeTakeFirstOrThrow();
    await writeFile(join(directory, FOLDERS.media, name), bytesOf(original));
  }
  return images.length;
}

async function exportRedirects(db: Database, directory: string) {
  const rows = await db
    .selectFrom("redirection")
    .select(["path", "target", "status"])
    .orderBy("path")
    .execute();
  await writeFile(join(directory, REDIRECTS_FILE), stringify(rows));
}

async function findWithoutSource(db: Database) {
  const leftOut: string[] = [];
  for (const kind of ["author", "category", "tag", "article", "page", "media"] as const) {
    const rows = await db
      .selectFrom(kind)
      .select("uid")
      .where("uid", "not in", (e) =>
        e.selectFrom("content_source").select("uid").where("kind", "=", kind),
      )
      .execute();
    leftOut.push(...rows.map(({ uid }) => `${kind} ${uid}`));
  }
  return leftOut;
}
