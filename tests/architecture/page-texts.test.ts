import { existsSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";
import { filesBelow, parse, resolve } from "./sources";

const trees = new Map<string, ts.SourceFile>();

/** Loaded on each page that hydrates. */
const SHARED = namespacesOf("app/root.tsx") ?? [];

/** Read by components that the page never shows. */
const NEVER_SHOWN: Record<string, readonly string[]> = {
  // The consent, which only a discussion asks for.
  "app/routes/contact-ticket/route.tsx": ["coaching"],
};

const hydrated = filesBelow("app/routes", /\/route\.tsx$/).filter((route) =>
  /hydrate: "/.test(handleOf(route)?.getText() ?? ""),
);

it("some pages hydrate, each with texts", () => {
  expect(hydrated.length).toBeGreaterThan(10);
  expect(hydrated.filter((route) => !namespacesOf(route))).toEqual([]);
});

it.each(hydrated)("%s loads the texts that its components read", (route) => {
  const loaded = [...SHARED, ...(namespacesOf(route) ?? []), ...(NEVER_SHOWN[route] ?? [])];
  const read = namespacesReadBy(route, ["default", "ErrorBoundary"]);
  expect([...read].filter((name) => !loaded.includes(name))).toEqual([]);
});

/** The declaration of a page (`declarePage`). */
function handleOf(file: string): ts.Node | undefined {
  return declarationsOf(file).get("handle");
}

/** Namespaces whose texts a page declares to need in the browser. */
function namespacesOf(file: string): string[] | undefined {
  const declared = /i18n: \[([^\]]*)\]/.exec(handleOf(file)?.getText() ?? "")?.[1];
  return declared?.match(/\w+/g)?.map(String);
}

/** Namespaces that the named exports of a file read by `useT`, also in what they use from other files. */
function namespacesReadBy(file: string, names: readonly string[], seen = new Set<string>()) {
  const found = new Set<string>();
  for (const name of names) {
    const place = `${file} ${name}`;
    const declaration = declarationsOf(file).get(name);
    if (seen.has(place) || !declaration) continue;
    seen.add(place);
    const { used, namespaces } = readIn(declaration);
    for (const namespace of namespaces) found.add(namespace);
    const others = [...namespacesReadBy(file, [...used], seen)];
    for (const [from, imported] of importedBy(file, used))
      others.push(...namespacesReadBy(from, [imported], seen));
    for (const other of others) found.add(other);
  }
  return found;
}

/** The names that a declaration uses in the browser, and the namespaces that it reads itself. */
function readIn(declaration: ts.Node) {
  const [used, namespaces] = [new Set<string>(), new Set<string>()];
  const see = (node: ts.Node) => {
    if (isOfServer(node)) return;
    if (ts.isIdentifier(node)) used.add(node.text);
    const [argument] = ts.isCallExpression(node) ? node.arguments : [];
    const isRead = ts.isCallExpression(node) && /^use(T|Lookup)$/.test(node.expression.getText());
    if (isRead && argument && ts.isStringLiteral(argument)) namespaces.add(argument.text);
    node.forEachChild(see);
  };
  see(declaration);
  return { used, namespaces };
}

/** `import.meta.env.SSR && …`, which the browser does not draw (`ServerPart`). */
const isOfServer = (node: ts.Node) =>
  ts.isBinaryExpression(node) && node.left.getText() === "import.meta.env.SSR";

/** The files and names that used names of a file are imported from, without types and the server's own. */
function importedBy(file: string, used: ReadonlySet<string>): [from: string, name: string][] {
  return parsed(file).statements.flatMap((statement): [string, string][] => {
    if (!ts.isImportDeclaration(statement) || statement.importClause?.isTypeOnly) return [];
    const { moduleSpecifier, importClause } = statement;
    const path = ts.isStringLiteral(moduleSpecifier) ? resolve(file, moduleSpecifier.text) : "";
    const from = [`${path}.tsx`, `${path}.ts`].find((one) => existsSync(one));
    const bindings = importClause?.namedBindings;
    if (!from || path.endsWith(".server") || !bindings || !ts.isNamedImports(bindings)) return [];
    return bindings.elements
      .filter(({ name, isTypeOnly }) => !isTypeOnly && used.has(name.text))
      .map(({ name, propertyName }) => [from, (propertyName ?? name).text]);
  });
}

function parsed(file: string): ts.SourceFile {
  const tree = trees.get(file) ?? parse(file);
  trees.set(file, tree);
  return tree;
}

/** What a file declares, by name, and its default export. */
function declarationsOf(file: string): Map<string, ts.Node> {
  const found = new Map<string, ts.Node>();
  for (const statement of parsed(file).statements) {
    if (ts.isFunctionDeclaration(statement)) {
      const isDefault = statement.modifiers?.some(
        ({ kind }) => kind === ts.SyntaxKind.DefaultKeyword,
      );
      if (statement.name) found.set(statement.name.text, statement);
      if (isDefault) found.set("default", statement);
    }
    if (!ts.isVariableStatement(statement)) continue;
    for (const one of statement.declarationList.declarations)
      if (ts.isIdentifier(one.name)) found.set(one.name.text, one);
  }
  return found;
}
