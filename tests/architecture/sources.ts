import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

/** Files below a folder, by their path in the project. */
export function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name).split("\\").join("/"))
    .filter((path) => pattern.test(path) && statSync(path).isFile())
    .sort();
}

export const sourcesBelow = (folder: string) => filesBelow(folder, /\.tsx?$/);

export const read = (path: string) => readFileSync(path, "utf8");

export function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
}

export function visit(node: ts.Node, see: (node: ts.Node) => void) {
  see(node);
  node.forEachChild((child) => visit(child, see));
}

/** What a file imports: paths of the project, or names of packages; also `import()` and `export from`. */
export function importsOf(path: string): string[] {
  const found: string[] = [];
  visit(parse(path), (node) => {
    const specifier = specifierOf(node);
    if (specifier && ts.isStringLiteralLike(specifier)) found.push(resolve(path, specifier.text));
  });
  return found;
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  const isDynamic =
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic ? node.arguments[0] : undefined;
}

/** The path in the project, without its ending, that an import of a file names; for a package, its name. */
export function resolve(from: string, specifier: string) {
  if (specifier.startsWith("~/")) return `app/${specifier.slice(2)}`;
  return specifier.startsWith(".") ? normalize(join(dirname(from), specifier)) : specifier;
}

/** Titles of the tests of a file. A test that is skipped proves nothing. */
export function titlesIn(file: string): Set<string> {
  const titles = new Set<string>();
  visit(parse(file), (node) => {
    if (!ts.isCallExpression(node)) return;
    const [title] = node.arguments;
    const isTest = /^(?:it|test)(?:\.each\b|\.for\b|$)/.test(node.expression.getText());
    if (isTest && title && ts.isStringLiteralLike(title)) titles.add(title.text);
  });
  return titles;
}
