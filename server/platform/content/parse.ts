import type { z } from "zod/v4";
import { emptyContent, type Content } from "./content";
import { addArticle } from "./parse-article";
import { readDirectory, type ContentFile } from "./directory";
import { formats, redirects, type Kind } from "./formats";
import { readYaml } from "./front-matter";
import { unknownPlaces } from "./identity-places";
import { imageNameIn } from "./images/names";
import {
  addFaults,
  addReference,
  readMarkdownFile,
  renderBody,
  requireNoText,
  type MarkdownFile,
} from "./markdown-file";
import { articlePath } from "./redirections";
import { sortName } from "./sort-name";

/**
 * Reads and validates a content folder; the result holds the faults of all files.
 * @throws ContentRefused when the folder does not exist or is empty
 */
export async function parseContent(directory: string): Promise<Content> {
  const files = await readDirectory(directory);
  const content = emptyContent();
  content.faults.push(...files.faults);
  content.images.push(...files.images);
  for (const { name } of files.images) content.present.add(`image ${name}`);
  for (const entry of files.entries) readers[entry.kind](entry, content);
  if (files.redirects) addRedirects(files.redirects, content);
  checkFormerUids(content);
  return content;
}

/** An earlier uid must be free, and lead to one article. */
function checkFormerUids({ former, present, rows, faults }: Content) {
  const targets = new Map(rows.redirection.map(({ path, target }) => [path, target]));
  for (const { uid, by, file, line } of former) {
    const [path, target] = [articlePath(uid), articlePath(by)];
    const other = targets.get(path);
    if (present.has(`article ${uid}`)) {
      faults.push({ file, line, message: `formerly: there is an article "${uid}"` });
    } else if (other !== undefined && other !== target) {
      faults.push({ file, line, message: `formerly: ${path} leads to ${other}` });
    }
    targets.set(path, target);
  }
}

/**
 * Parses an article as an import has stored it. It was checked then: what it refers to may have changed since, but
 * not what it says.
 */
export function parseStoredArticle(uid: string, source: string): Content {
  const content = emptyContent();
  readers.articles({ kind: "articles", uid, file: `${uid}.md`, source }, content);
  return content;
}

const readers: Record<Kind, (entry: ContentFile, into: Content) => void> = {
  authors: readerOf(formats.authors, "author", (sheet, into) => {
    const { name, role = null, order } = sheet.front;
    const biography = renderBody(sheet, into).html;
    const sort_name = sortName(name);
    into.rows.author.push({ uid: sheet.uid, name, sort_name, role, biography, position: order });
  }),
  categories: readerOf(formats.categories, "category", (sheet, into) => {
    const { name, order } = sheet.front;
    const description = renderBody(sheet, into).text || null;
    into.rows.category.push({ uid: sheet.uid, name, description, position: order });
  }),
  tags: readerOf(formats.tags, "tag", (sheet, into) => {
    const { name, order } = sheet.front;
    requireNoText(sheet, into);
    into.rows.tag.push({ uid: sheet.uid, name, position: order });
  }),
  articles: readerOf(formats.articles, "article", addArticle),
  pages: readerOf(formats.pages, "page", (sheet, into) => {
    const { applies = null, ...front } = sheet.front;
    const { html } = renderBody(sheet, into);
    into.rows.page.push({ uid: sheet.uid, ...front, applies, body: html });
    refuseUnknownPlaces(sheet, into);
    if (applies === null) return;
    into.datesOfEffect.push({ day: applies, file: sheet.file, line: sheet.lineOf("applies") });
  }),
  medias: readerOf(formats.medias, "media", (sheet, into) => {
    const { mimeType, author = null, ...front } = sheet.front;
    requireNoText(sheet, into);
    if (author) addReference(sheet, into, "author", author, "author");
    const image = imageNameIn(front.url);
    if (image !== undefined) addReference(sheet, into, "image", image, "url");
    into.rows.media.push({ uid: sheet.uid, ...front, mime_type: mimeType, author_uid: author });
  }),
};

type SourceKind = Content["rows"]["content_source"][number]["kind"];

function readerOf<S extends z.ZodType>(
  schema: S,
  kind: SourceKind,
  add: (sheet: MarkdownFile<z.output<S>>, into: Content) => void,
) {
  return (entry: ContentFile, into: Content) => {
    into.present.add(`${kind} ${entry.uid}`);
    const sheet = readMarkdownFile(entry, schema, into);
    if (!sheet) return;
    add(sheet, into);
    into.rows.content_source.push({ kind, uid: entry.uid, source: entry.source });
  };
}

function refuseUnknownPlaces(sheet: MarkdownFile<unknown>, into: Content) {
  const faults = sheet.body.split("\n").flatMap((text, index) =>
    unknownPlaces(text).map((name) => ({
      line: sheet.bodyLine + index,
      message: `{{${name}}} is no value of the identity file`,
    })),
  );
  addFaults(sheet, into, faults);
}

function addRedirects({ file, source }: { file: string; source: string }, into: Content) {
  const read = readYaml(source, redirects);
  if ("faults" in read) {
    into.faults.push(...read.faults.map((fault) => ({ file, ...fault })));
    return;
  }
  const seen = new Set<string>();
  for (const [i, row] of read.data.entries()) {
    const line = read.lineOf(i, "path");
    if (seen.has(row.path)) into.faults.push({ file, line, message: `${row.path} a second time` });
    seen.add(row.path);
    into.rows.redirection.push(row);
  }
}
