import { isMap, isScalar, LineCounter, parseDocument, type Document } from "yaml";
import type { z } from "zod/v4";
import type { TextFault } from "./markdown";

type Read<T> = { data: T; lineOf: (...path: PropertyKey[]) => number };

export type FrontMatter<T> =
  (Read<T> & { body: string; bodyLine: number }) | { faults: TextFault[] };

const FENCED = /^---[ \t]*\n((?:.*\n)*?)---[ \t]*(?:\n([^]*))?$/;

/** Splits a Markdown file into its validated front matter and its body. */
export function readFrontMatter<S extends z.ZodType>(
  source: string,
  schema: S,
): FrontMatter<z.output<S>> {
  const [, yaml, body = ""] = FENCED.exec(source) ?? [];
  if (yaml === undefined) {
    return { faults: [{ line: 1, message: "no front matter between two --- lines" }] };
  }
  const read = readYaml(yaml, schema, 2);
  if ("faults" in read) return read;
  return { ...read, body, bodyLine: yaml.split("\n").length + 2 };
}

/** Reads and validates YAML; `firstLine` is its first line in the file, for the lines of the faults. */
export function readYaml<S extends z.ZodType>(
  source: string,
  schema: S,
  firstLine = 1,
): Read<z.output<S>> | { faults: TextFault[] } {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line + firstLine - 1;
  if (document.errors.length) {
    return {
      faults: document.errors.map(({ pos, message }) => ({ line: lineAt(pos[0]), message })),
    };
  }
  const lineOf = (...path: PropertyKey[]) => lineAt(offsetOf(document, path));
  const value = valueOf(document);
  if ("fault" in value) return { faults: [{ line: firstLine, message: value.fault }] };
  const result = schema.safeParse(value.data);
  if (result.success) return { data: result.data, lineOf };
  const faults = result.error.issues.flatMap((issue) =>
    faultsOf(issue, document).map(({ path, message }) => ({ line: lineOf(...path), message })),
  );
  return { faults };
}

/** Aliases may unfold to more than memory holds: the library counts them, and throws. */
function valueOf(document: Document): { data: unknown } | { fault: string } {
  try {
    return { data: document.toJS() };
  } catch {
    return { fault: "aliases (* and &) unfold to too much, or name nothing: write the values out" };
  }
}

function faultsOf(issue: z.core.$ZodIssue, document: Document) {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      message: `unknown key "${key}"`,
    }));
  }
  const name = issue.path.join(".");
  const message = document.hasIn(issue.path) ? issue.message : "is missing";
  return [{ path: issue.path, message: name ? `${name}: ${message}` : message }];
}

/** Offset of a value in the YAML: its key in a map, its item in a list, otherwise its parent. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  if (path.length === 0) return document.contents?.range?.[0] ?? 0;
  const parentPath = path.slice(0, -1);
  const parent = parentPath.length ? document.getIn(parentPath, true) : document.contents;
  const name = path.at(-1);
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(name))
    : undefined;
  if (pair && isScalar(pair.key)) return pair.key.range?.[0] ?? 0;
  const item = document.getIn(path, true);
  if (isScalar(item) || isMap(item)) return item.range?.[0] ?? 0;
  return offsetOf(document, parentPath);
}
