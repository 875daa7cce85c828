import type { z } from "zod/v4";
import type { Content, Reference } from "./content";
import type { ContentFile } from "./directory";
import { readFrontMatter } from "./front-matter";
import { renderMarkdown, type Rendered, type TextFault } from "./markdown";

/** A Markdown file whose front matter is in order. */
export type Sheet<T> = {
  uid: string;
  file: string;
  front: T;
  body: string;
  /** The file's line on which the body starts. */
  bodyLine: number;
  lineOf: (...path: PropertyKey[]) => number;
};

/** Null when the front matter has faults; they are then in the content. */
export function readSheet<S extends z.ZodType>(
  { uid, file, source }: ContentFile,
  schema: S,
  into: Content,
): Sheet<z.output<S>> | null {
  const read = readFrontMatter(source, schema);
  if ("faults" in read) {
    blame({ file }, into, read.faults);
    return null;
  }
  const { data, ...place } = read;
  return { uid, file, front: data, ...place };
}

/** The body, or a part of it that starts on another line, as HTML. */
export function rendered(
  sheet: Sheet<unknown>,
  into: Content,
  { body, bodyLine }: { body: string; bodyLine: number } = sheet,
): Rendered {
  const text = renderMarkdown(body);
  const faults = text.faults.map(({ line, message }) => ({ line: line + bodyLine - 1, message }));
  blame(sheet, into, faults);
  return text;
}

export function withoutText(sheet: Sheet<unknown>, into: Content) {
  const first = sheet.body.split("\n").findIndex((line) => line.trim());
  if (first < 0) return;
  blame(sheet, into, [{ line: sheet.bodyLine + first, message: "no text belongs here" }]);
}

export function refer(
  { file, lineOf }: Sheet<unknown>,
  into: Content,
  table: Reference["table"],
  uid: string,
  ...path: PropertyKey[]
) {
  into.references.push({ table, uid, file, line: lineOf(...path) });
}

export function blame({ file }: { file: string }, into: Content, faults: TextFault[]) {
  into.faults.push(...faults.map((fault) => ({ file, ...fault })));
}
