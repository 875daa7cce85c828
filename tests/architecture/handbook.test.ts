import { dirname, join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { parse, read, sourcesBelow, visit } from "./sources";

/** The first cells of the tables below "Lines of the log". */
const explained = [
  ...(read("docs/operations.md").split("\n## Lines of the log\n")[1] ?? "").matchAll(
    /^\| `([^`]+)`/gm,
  ),
].map(([, line = ""]) => line);

const logged = [...sourcesBelow("server"), ...sourcesBelow("app")].flatMap((file) =>
  linesOf(parse(file)).map((line) => ({ file, line })),
);

it("each warning and error of the log is explained in the handbook", () => {
  expect(logged.length).toBeGreaterThan(50);
  const unexplained = logged.filter(({ line }) => !explained.some((text) => line.startsWith(text)));
  expect(unexplained).toEqual([]);
});

it("the handbook explains no line that the log cannot have", () => {
  const unknown = explained.filter((text) => !logged.some(({ line }) => line.startsWith(text)));
  expect(unknown).toEqual([]);
});

/** What a file logs as a warning or worse. Words that are made elsewhere are looked up in the same file. */
function linesOf(file: ts.SourceFile): string[] {
  const lines: string[] = [];
  visit(file, (node) => {
    if (!ts.isCallExpression(node) || !isLogged(node.expression)) return;
    const words = node.arguments.at(-1);
    if (words) lines.push(...textsOf(words, file));
  });
  return lines;
}

/** `log.warn`, or a level that is decided while it runs. */
function isLogged(called: ts.Expression): boolean {
  const isLevel =
    (ts.isPropertyAccessExpression(called) && /^(?:warn|error|fatal)$/.test(called.name.text)) ||
    ts.isElementAccessExpression(called);
  return isLevel && /\blog(?:\(\))?\??$/i.test(called.expression.getText());
}

function textsOf(node: ts.Node, file: ts.SourceFile): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) return [node.head.text];
  if (ts.isConditionalExpression(node)) {
    return [...textsOf(node.whenTrue, file), ...textsOf(node.whenFalse, file)];
  }
  if (ts.isBinaryExpression(node)) {
    return [...textsOf(node.left, file), ...textsOf(node.right, file)];
  }
  // Words that a function makes: those of its own file, which say what they are by name.
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) return [];
  return ts.isIdentifier(node) ? definedAs(node.text, file) : [`? ${node.getText()}`];
}

function definedAs(name: string, file: ts.SourceFile): string[] {
  const found: string[] = [];
  visit(file, (node) => {
    if (!ts.isVariableDeclaration(node) || node.name.getText() !== name) return;
    const { initializer } = node;
    if (initializer && !ts.isObjectLiteralExpression(initializer)) {
      found.push(...textsOf(initializer, file));
    }
  });
  found.push(...givenAs(name, file));
  if (found.length > 0) return found;
  const imported = file.statements
    .filter(ts.isImportDeclaration)
    .find(({ importClause }) => importClause?.getText().match(new RegExp(`\\b${name}\\b`)));
  const from = imported && ts.isStringLiteral(imported.moduleSpecifier) && imported.moduleSpecifier;
  if (!from) return [`? ${name}`];
  return definedAs(name, parse(`${join(dirname(file.fileName), from.text)}.ts`));
}

/** What the calls within a file give to a function's parameter. */
function givenAs(name: string, file: ts.SourceFile): string[] {
  const found: string[] = [];
  visit(file, (node) => {
    if (!ts.isParameter(node) || node.name.getText() !== name) return;
    const index = node.parent.parameters.findIndex((parameter) => parameter === node);
    const { parent } = node.parent;
    const named = ts.isVariableDeclaration(parent) ? parent.name : node.parent.name;
    visit(file, (call) => {
      if (!ts.isCallExpression(call) || call.expression.getText() !== named?.getText()) return;
      const given = call.arguments[index];
      if (given) found.push(...textsOf(given, file));
    });
  });
  return found;
}
