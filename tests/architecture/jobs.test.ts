import ts from "typescript";
import { expect, it } from "vitest";
import { parse, read, sourcesBelow, visit } from "./sources";

const files = sourcesBelow("server/platform");
const trees = files.map(parse);

/** Expressions that name the kind of a job that is scheduled, through functions that pass it on, too. */
const kinds = trees.flatMap((tree) => {
  const found: ts.Expression[] = [];
  const pending = callsOf(tree, "enqueue").flatMap((call) => kindIn(call) ?? []);
  for (const kind of pending) {
    const passed = parameterOf(kind);
    if (!passed) found.push(kind);
    else for (const call of callsOf(tree, passed.to)) pending.push(argumentOf(call, passed.index));
  }
  return found;
});

it("each kind of job that is scheduled has a handler", () => {
  const scheduled = new Set(kinds.map((kind) => kind.getText()));
  const handled = new Set(
    files.flatMap((file) => [...read(file).matchAll(/\[([A-Z_]+)\]:/g)].map(([, name]) => name)),
  );
  expect(scheduled.size).toBeGreaterThan(25);
  expect([...scheduled].filter((kind) => !handled.has(kind))).toEqual([]);
});

it("no two kinds of job have the same name in the database", () => {
  const names = new Set(kinds.map((kind) => kind.getText()));
  const values = files.flatMap((file) =>
    [...read(file).matchAll(/^(?:export )?const ([A-Z_]+) = "([^"]+)"/gm)].flatMap(
      ([, name, value]) => (name && names.has(name) ? [value] : []),
    ),
  );
  expect(values.length).toBeGreaterThanOrEqual(names.size);
  expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
});

it("a kind of job is named by a constant", () => {
  const others = kinds.map((kind) => kind.getText()).filter((text) => !/^[A-Z_]+$/.test(text));
  expect(others).toEqual([]);
});

it("each job is scheduled with its kind in the call", () => {
  const calls = trees.flatMap((tree) => callsOf(tree, "enqueue"));
  expect(calls.length).toBeGreaterThan(25);
  expect(calls.filter((call) => !kindIn(call)).map((call) => call.getText())).toEqual([]);
});

function callsOf(tree: ts.SourceFile, name: string): ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  visit(tree, (node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === name) calls.push(node);
  });
  return calls;
}

function kindIn({ arguments: [, job] }: ts.CallExpression): ts.Expression | undefined {
  if (!job || !ts.isObjectLiteralExpression(job)) return undefined;
  const kind = job.properties.find((property) => property.name?.getText() === "kind");
  if (kind && ts.isShorthandPropertyAssignment(kind)) return kind.name;
  return kind && ts.isPropertyAssignment(kind) ? kind.initializer : undefined;
}

/** The function that takes this value as a parameter, and the place of that; undefined where none does. */
function parameterOf(value: ts.Expression) {
  for (let node: ts.Node = value; !ts.isSourceFile(node); node = node.parent) {
    if (!ts.isFunctionDeclaration(node) || !node.name) continue;
    const index = node.parameters.findIndex(({ name }) => name.getText() === value.getText());
    if (index >= 0) return { to: node.name.text, index };
  }
  return undefined;
}

function argumentOf(call: ts.CallExpression, index: number): ts.Expression {
  const argument = call.arguments[index];
  if (!argument) throw new Error(`No kind of job in ${call.getText()}`);
  return argument;
}
