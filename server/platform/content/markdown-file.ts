import type { z } from "zod/v4";
import type { Content, Reference } from "./content";
import type { ContentFile } from "./directory";
import { readFrontMatter } from "./front-matter";
import { renderMarkdown, type Rendered, type TextFault } from "./markdown";

/** A Markdown file with valid front matter. */
export type MarkdownFile<T> = {
  uid: string;
  file: string;
  front: T;
  body: string;
  /** The line of the file where the body starts. */
  bodyLine: number;
  lineOf: (...path: PropertyKey[]) => number;
};

/** Reads a Markdown file; null when its front matter has faults, which are added to the content. */
export function readMarkdownFile<S extends z.ZodType>(
  { uid, file, source }: ContentFile,
  schema: S,
  into: Content,
): MarkdownFile<z.output<S>> | null {
  const read = readFrontMatter(source, schema);
  if ("faults" in read) {
    addFaults({ file }, into, read.faults);
    return null;
  }
  const { data, ...place } = read;
  return { uid, file, front: data, ...place };
}

/** Renders the body, or a part of it that starts at `bodyLine`. */
export function renderBody(
  sheet: MarkdownFile<unknown>,
  into: Content,
  { body, bodyLine }: { body: string; bodyLine: number } = sheet,
): Rendered {
  const text = renderMarkdown(body);
  const faults = text.faults.map(({ line, message }) => ({ line: line + bodyLine - 1, message }));
  addFaults(sheet, into, faults);
  for (const { name, line } of text.images) {
    into.references.push({
      table: "image",
      uid: name,
      file: sheet.file,
      line: line + bodyLine - 1,
    });
  }
  return text;
}

export function requireNoText(sheet: MarkdownFile<unknown>, into: Content) {
  const first = sheet.body.split("\n").findIndex((line) => line.trim());
  if (first < 0) return;
  addFaults(sheet, into, [{ line: sheet.bodyLine + first, message: "no text belongs here" }]);
}

export function addReference(
  { file, lineOf }: MarkdownFile<unknown>,
  into: Content,
  table: Reference["table"],
  uid: string,
  ...path: PropertyKey[]
) {
  into.references.push({ table, uid, file, line: lineOf(...path) });
}

export function addFaults({ file }: { file: string }, into: Content, faults: TextFault[]) {
  into.faults.push(...faults.map((fault) => ({ file, ...fault })));
}
