import { basename } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import entries from "~/routes";
import { ADDRESSES } from "../hostile/pages";
import { OPEN_PAGES } from "../journeys/open-pages";
import { filesBelow, parse, read, sourcesBelow } from "./sources";

const ORDER = [
  "meta",
  "handle",
  "loader",
  "action",
  "clientAction",
  "shouldRevalidate",
  "default",
  "ErrorBoundary",
];
/** Resource routes without a page. They need no page declaration. */
const RESOURCES = [
  "app/routes/api/route.ts",
  "app/routes/article-picture/route.ts",
  "app/routes/feed/route.ts",
  "app/routes/image/route.ts",
  "app/routes/latest-build/route.ts",
  "app/routes/robots/route.ts",
  "app/routes/sitemap/route.ts",
];

/** Streams that do not end, and a page that answers 500 by design. */
const SPARED = ["contact/tickets/:uid/events", "coaching/:uid/events", "page5xx"];
/** Paths without a page to check: one that redirects, and one for all unknown paths. */
const PASSED_BY = ["callback/payment", "*"];

/** They end or begin a session, whoever's it is. */
const FOR_ANYBODY = [
  "app/routes/login/route.tsx",
  "app/routes/logout/route.tsx",
  // Choices of a browser, whoever is signed in.
  "app/routes/cookies/route.tsx",
  "app/routes/translation/route.tsx",
];

const table = entries.map(({ path = "", file }) => ({ path, file }));

const routes = filesBelow("app/routes", /\/route\.tsx?$/);

describe.each(routes)("%s", (route) => {
  const exported = exportsOf(route);

  it("exports in the agreed order", () => {
    expect(exported).toEqual(ORDER.filter((name) => exported.includes(name)));
  });

  it("opens a visit in each loader and action", () => {
    const doors = exported.filter((name) => name === "loader" || name === "action");
    const opened = read(route).match(/\bopenVisit\(/g) ?? [];
    if (!RESOURCES.includes(route)) expect(opened.length).toBeGreaterThanOrEqual(doors.length);
  });

  it("reads posted forms through the form reader only", () => {
    const unread = [...RESOURCES, "app/routes/not-found/route.tsx"];
    const sends = exported.includes("action") && !unread.includes(route);
    expect(/\bread(?:Any|Own)?Form\(/.test(read(route))).toBe(sends);
  });

  it("checks each form's owner except for signing in and out", () => {
    const isFree = FOR_ANYBODY.includes(route);
    if (!isFree) expect(read(route)).not.toMatch(/\bread(?:Any)?Form\(/);
  });

  it("keeps an unsent form on each hydrated page", () => {
    const sendsInPlace = exported.includes("action") && /hydrate: "/.test(read(route));
    expect(read(route).includes("~/forms/unsent")).toBe(sendsInPlace);
  });

  it("is listed in the table of routes", () => {
    expect(read("app/routes.ts")).toContain(`"${route.slice("app/".length)}"`);
  });
});

describe("each path of the table of routes", () => {
  const answers = (addresses: readonly string[], path: string) => {
    const parts = path.split("/").map((part) => (part.startsWith(":") ? "[^/]+" : part));
    const pattern = new RegExp(`^/${parts.join("/").replace("*", ".*")}$`);
    return addresses.some((address) => pattern.test(address.split("?")[0] ?? ""));
  };

  it("is sent hostile input", () => {
    const open = table.filter(({ path }) => !SPARED.includes(path));
    expect(open.filter(({ path }) => !answers(ADDRESSES, path))).toEqual([]);
  });

  it("is checked for accessibility if it is public", () => {
    const isOpen = (file: string) =>
      exportsOf(`app/${file}`).includes("default") &&
      !/secured: true|provider: "contact"/.test(read(`app/${file}`));
    const open = table.filter(({ file, path }) => isOpen(file) && !PASSED_BY.includes(path));
    expect(open.filter(({ path }) => !answers(OPEN_PAGES, path))).toEqual([]);
  });
});

it("only app/api and app/enhance call fetch", () => {
  const others = sourcesBelow("app").filter((file) => !/^app\/(?:api|enhance)\//.test(file));
  expect(others.filter((file) => /(?<![.\w])fetch\(/.test(read(file)))).toEqual([]);
});

it("only form reader, API client and browser read bodies", () => {
  const readers =
    /^app\/(?:(?:api|enhance)\/|contract\/read-body\.server|forms\/(?:read\.server|send-as-document)\.ts$)/;
  const others = sourcesBelow("app").filter((file) => !readers.test(file));
  const body =
    /\brequest\.(?:body|clone|formData|text|json|blob|arrayBuffer|bytes)\b|\.formData\(|parseWithZod|readBodyUpTo/;
  expect(others.filter((file) => body.test(read(file)))).toEqual([]);
});

it("no file has a meaningless name", () => {
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
