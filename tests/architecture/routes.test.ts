import { basename } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { filesBelow, parse, read, sourcesBelow } from "./sources";

const ORDER = [
  ...["meta", "handle", "loader", "action", "clientAction", "shouldRevalidate"],
  ...["default", "ErrorBoundary"],
];
/** Answers of their own, without a page: the declaration of a page would say nothing. */
const RESOURCES = ["app/routes/api/route.ts", "app/routes/latest-build/route.ts"];

const routes = filesBelow("app/routes", /\/route\.tsx?$/);

describe.each(routes)("%s", (route) => {
  const exported = exportsOf(route);

  it("exports what the framework reads, in the order of the house", () => {
    expect(exported).toEqual(ORDER.filter((name) => exported.includes(name)));
  });

  it("opens each loader and action through its declaration", () => {
    const doors = exported.filter((name) => name === "loader" || name === "action");
    const opened = read(route).match(/\benter\(/g) ?? [];
    if (!RESOURCES.includes(route)) expect(opened.length).toBeGreaterThanOrEqual(doors.length);
  });

  it("reads what is posted through the forms' guard alone", () => {
    const unread = [...RESOURCES, "app/routes/not-found/route.tsx"];
    const sends = exported.includes("action") && !unread.includes(route);
    expect(/\bread(?:Any)?Form\(/.test(read(route))).toBe(sends);
  });

  it("keeps a form that finds no network, where a form is sent in place", () => {
    const sendsInPlace = exported.includes("action") && read(route).includes("hydrate: true");
    expect(read(route).includes("~/forms/unsent")).toBe(sendsInPlace);
  });

  it("stands in the table of routes", () => {
    expect(read("app/routes.ts")).toContain(`"${route.slice("app/".length)}"`);
  });
});

it("only app/api and app/enhance call fetch", () => {
  const others = sourcesBelow("app").filter((file) => !/^app\/(?:api|enhance)\//.test(file));
  expect(others.filter((file) => /(?<![.\w])fetch\(/.test(read(file)))).toEqual([]);
});

it("only the forms' guard, the API's door and the browser read a body", () => {
  const others = sourcesBelow("app").filter(
    (file) =>
      !/^app\/(?:api|enhance)\/|^app\/forms\/(?:read\.server|send-as-document)\.ts$/.test(file),
  );
  const body =
    /\brequest\.(?:body|clone|formData|text|json|blob|arrayBuffer|bytes)\b|\.formData\(|parseWithZod/;
  expect(others.filter((file) => body.test(read(file)))).toEqual([]);
});

it("no file is a drawer for everything", () => {
  const drawers = /^(?:utils?|helpers?|common|misc|lib)(?:\.\w+)*$/;
  const files = [...sourcesBelow("app"), ...sourcesBelow("server"), ...sourcesBelow("tests")];
  expect(files.filter((file) => drawers.test(basename(file)))).toEqual([]);
});

function exportsOf(path: string): string[] {
  return parse(path).statements.flatMap((statement) => {
    const flags = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    const has = (kind: ts.SyntaxKind) => flags.some((modifier) => modifier.kind === kind);
    if (ts.isExportAssignment(statement) || has(ts.SyntaxKind.DefaultKeyword)) return ["default"];
    if (ts.isExportDeclaration(statement)) return namesOf(statement);
    if (!has(ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name }) => name.getText());
    }
    return ts.isFunctionDeclaration(statement) && statement.name
      ? [statement.name.text]
      : ["a type"];
  });
}

function namesOf({ exportClause }: ts.ExportDeclaration) {
  if (!exportClause || !ts.isNamedExports(exportClause)) return ["*"];
  return exportClause.elements.map(({ name }) => name.text);
}
