import { basename } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { parseAllDocuments, parse as parseYaml } from "yaml";
import { z } from "zod/v4";
import { COMMON_ERRORS } from "~/contract/endpoint";
import { endpoints, type EndpointName } from "~/contract/endpoints";
import { UnexpectedStatusError } from "~/api/errors";
import { isUnknownCall } from "~/api/unknown-call";
import { forms } from "../hostile/forms";
import { environment } from "~/config/environment.server";
import { longestStopMs } from "../../server/stop";
import { FUNNEL_PARAMETERS } from "~/session/funnel-parameters";
import { filesBelow, parse, read, sourcesBelow, visit } from "./sources";

const common: readonly number[] = COMMON_ERRORS;

it("each call is listed with its answers", () => {
  const rows = read("docs/interface.md")
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter(([, call]) => /^`(?:GET|POST|PUT|DELETE) \//.test(call ?? ""))
    .map(([, call = "", , statuses = ""]) => `${call.replaceAll("`", "")}: ${statuses}`);
  const calls = Object.values(endpoints).map(({ method, path, answers, errors }) => {
    const declared = errors.filter((status) => !common.includes(status));
    return `${method} ${path}: ${[...Object.keys(answers), ...declared].join(", ")}`;
  });
  expect(rows.sort()).toEqual(calls.sort());
});

it("each call that an external API may lack is listed", () => {
  const [, list = ""] = read("docs/interface.md").split("the site works without these calls");
  const [, listed = ""] = /\n\n((?:- `.*`\n)+)/.exec(list) ?? [];
  const names = Object.keys(endpoints) as EndpointName[];
  const calls = names.flatMap((name) => {
    const line = `${endpoints[name].method} ${endpoints[name].path}`;
    return isUnknownCall(name, new UnexpectedStatusError(line, 405, [200])) ? [line] : [];
  });
  expect(namesIn(listed).sort()).toEqual(calls.sort());
});

/** Of any form, and of any form that leads to a charge; the text above the table names them. */
const OF_MANY_FORMS = [
  "idempotencyKey",
  "owner",
  "website",
  "inPlace",
  "restore",
  "formula",
  "trafficToken",
  "affiliation",
  "offer",
  "termsDigest",
];
/** What only the site's own scripts and pages send. */
const OF_SCRIPTS = ["carried", "lost", "until", "uid"];

/** The rows of the table of forms: a pattern of each page, and the cell of its fields. */
const formRows = sectionOf("docs/interface.md", "## Forms").map((line) => {
  const [, pages = "", fields = ""] = line.split("|");
  const patterns = namesIn(pages).map(
    (page) => new RegExp(`^${page.replaceAll("{uid}", "[^/?]+")}$`),
  );
  return { patterns, pages, fields };
});
const sitePages = forms
  .filter(({ route }) => route !== "not-found" && route !== "sandbox bank")
  .map(({ path, ...form }) => ({ page: path.replace(/\?.*/, ""), ...form }));

it("each field of a form is listed with its page", () => {
  const missing = sitePages.flatMap(({ page, schema, intents = [] }) => {
    const ofPage = formRows.filter(({ patterns }) =>
      patterns.some((pattern) => pattern.test(page)),
    );
    if (ofPage.length === 0) return [`${page}: no row`];
    const listed = ofPage.flatMap(({ fields }) => namesIn(fields));
    const known = [...listed, ...OF_MANY_FORMS, ...OF_SCRIPTS];
    const fields = Object.keys(schema.shape).filter((name) => !known.includes(name));
    const buttons = intents.filter((name) => !listed.some((cell) => cell.endsWith(name)));
    return [...fields, ...buttons.map((name) => `intent=${name}`)].map(
      (name) => `${page}: ${name}`,
    );
  });
  expect(missing).toEqual([]);
});

it("each listed field and button is one of a form", () => {
  const untrue = formRows
    .filter(({ patterns, pages }) => patterns.length > 0 && !pages.includes("(get)"))
    .flatMap(({ patterns, pages, fields }) => {
      const ofRow = sitePages.filter(({ page }) => patterns.some((pattern) => pattern.test(page)));
      const intents = ofRow.flatMap((form) => form.intents ?? []);
      const known = [
        ...OF_MANY_FORMS,
        ...ofRow.flatMap(({ schema }) => Object.keys(schema.shape)),
        ...(intents.length > 0 ? ["intent", ...intents] : []),
        ...intents.map((name) => `intent=${name}`),
      ];
      return namesIn(fields)
        .filter((name) => !known.includes(name))
        .map((name) => `${pages.trim()}: ${name}`);
    });
  expect(untrue).toEqual([]);
});

it("what many forms carry is named above their table", () => {
  const section = sectionOf("docs/interface.md", "## Forms").join("\n");
  expect(OF_MANY_FORMS.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

it("each parameter of a partner's link is listed", () => {
  const section = sectionOf("docs/interface.md", "## Addresses").join("\n");
  expect(FUNNEL_PARAMETERS.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

it("each script of package.json is listed", () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read("package.json")));
  const commands = sectionOf("docs/interface.md", "## Commands").flatMap(firstCellNames);
  const names = commands.flatMap((command) => {
    const [, name = command] = /^npm (?:run )?([\w:]+)/.exec(command) ?? [];
    return /^[\w:]+$/.test(name) ? [name] : [];
  });
  expect([...new Set(names)].sort()).toEqual(Object.keys(scripts).sort());
});

it("each subcommand of a command's help is listed", () => {
  const cells = sectionOf("docs/interface.md", "## Commands").flatMap(firstCellNames);
  const missing = filesBelow("server/cli", /^server\/cli\/[a-z]+\.ts$/).flatMap((file) => {
    const [, name = "", help = ""] =
      /`Usage: npm run (?:--silent )?([a-z]+) -- ([^`]*)`/.exec(read(file)) ?? [];
    const listed = cells.filter((cell) => cell.startsWith(`npm run ${name} -- `)).join(" ");
    const subcommands = [...help.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, word = ""]) => word);
    const takesFile = help.startsWith("<file>") && listed.includes("<file>");
    if (subcommands.length === 0 && !takesFile) return [`${file}: none found`];
    return subcommands
      .filter((word) => !listed.split(/[\s,]+/).includes(word))
      .map((word) => `${name} ${word}`);
  });
  expect(missing).toEqual([]);
});

it("the README lists each environment variable", () => {
  const names = sectionOf("README.md", "## Configuration").flatMap(firstCellNames);
  expect(names.sort()).toEqual(Object.keys(environment.shape).sort());
});

it("the README names each command", () => {
  const named = read("README.md").matchAll(/^npm run ([a-z]+) -- --help/gm);
  const commands = filesBelow("server/cli", /^server\/cli\/[a-z]+\.ts$/);
  expect([...named].map(([, name = ""]) => name).sort()).toEqual(
    commands.map((file) => basename(file, ".ts")).sort(),
  );
});

const defaultValue = z.union([z.string(), z.number(), z.array(z.string())]).optional();

/** Their defaults are told in words. */
const DEFAULTS_IN_WORDS = [
  "TRUSTED_PROXIES",
  "PAYMENT_ORIGINS",
  "TRANSLATION_SCRIPT_URL",
  "PROHIBITED_ROUTES",
];

it("the README names the default of each environment variable", () => {
  const rows = sectionOf("README.md", "## Configuration").flatMap((line) => {
    const [, names = "", cell = ""] = line.split("|");
    const defaults = cell.split(names.includes(",") ? "," : /$/);
    return namesIn(names).map((name, at) => [name, (defaults[at] ?? "").trim()] as const);
  });
  const told = new Map(rows);
  const untrue = Object.entries<z.ZodType>(environment.shape).flatMap(([name, schema]) => {
    const value = defaultValue.parse(schema.safeParse(undefined).data);
    if (value === undefined || DEFAULTS_IN_WORDS.includes(name)) return [];
    const cell = told.get(name)?.replaceAll("`", "");
    const text = [value].flat().join();
    return cell === text ? [] : [`${name}: ${cell} is not ${text}`];
  });
  expect(untrue).toEqual([]);
});

it("each environment variable that is accepted is read", () => {
  const identifiers = new Set<string>();
  const files = [...sourcesBelow("app"), ...sourcesBelow("server")];
  for (const file of files.filter((file) => !file.endsWith("/environment.server.ts"))) {
    visit(parse(file), (node) => {
      if (ts.isIdentifier(node)) identifiers.add(node.text);
    });
  }
  expect(Object.keys(environment.shape).filter((name) => !identifiers.has(name))).toEqual([]);
});

it("the README names each measurement and load test", () => {
  const names = ["bench", "load"].flatMap((folder) =>
    filesBelow(`tests/${folder}`, new RegExp(`\\.${folder}\\.ts$`)).map((file) => ({
      folder,
      name: basename(file, `.${folder}.ts`),
    })),
  );
  const missing = names.filter(({ folder, name }) => {
    const line = new RegExp(`^npm run ${folder}\\b.*`, "m").exec(read("README.md"))?.[0] ?? "";
    return !line.split(/[\s,]+/).includes(name);
  });
  expect(names.length).toBeGreaterThan(5);
  expect(missing).toEqual([]);
});

/** Fixed in the image: there `PORT` of the host is only where the container is published. */
const OF_THE_CONTAINER = ["DATA_DIR", "HOST", "PORT"];

it("the container gets each environment variable that is set", () => {
  const names = Object.keys(environment.shape).filter((name) => !OF_THE_CONTAINER.includes(name));
  // A list of bare names leaves a variable unset that the host does not set.
  expect(composedSite().environment.sort()).toEqual(names.sort());
});

it("the manifest of Kubernetes sets only what the site reads", () => {
  const documents = parseAllDocuments(read("docs/kubernetes.yaml")).map((document) => {
    expect(document.errors).toEqual([]);
    return z.object({ kind: z.string(), data: z.unknown() }).parse(document.toJS());
  });
  const settings = documents.flatMap(({ kind, data }) => (kind === "ConfigMap" ? [data] : []));
  const accepted = environment.keyof();
  expect(settings.map((data) => z.partialRecord(accepted, z.string()).parse(data))).toHaveLength(1);
});

it("containers have the time that the longest stop takes", () => {
  const { DRAIN_DELAY } = environment.parse({});
  const seconds = longestStopMs(DRAIN_DELAY) / 1_000;
  const [, ofCompose] = /stop_grace_period: (\d+)s/.exec(read("compose.yaml")) ?? [];
  const [, ofPods] =
    /terminationGracePeriodSeconds: (\d+)/.exec(read("docs/kubernetes.yaml")) ?? [];
  const [, ofSystemd] = /TimeoutStopSec=(\d+)/.exec(read("docs/operations.md")) ?? [];
  for (const period of [ofCompose, ofPods, ofSystemd]) {
    expect(Number(period)).toBeGreaterThan(seconds);
  }
});

it("the container reads the owner's files where the site does", () => {
  expect(composedSite().volumes).toContain("./own:/site/own:ro");
  expect(read("Dockerfile")).toContain("WORKDIR /site\n");
  const paths = [...read("docs/operations.md").matchAll(/(?:IDENTITY_FILE|CONTENT_DIR)=(\S+)/g)];
  expect(paths.map(([, path]) => path)).toEqual(["own/identity.yaml", "own/content"]);
});

function composedSite() {
  const texts = z.array(z.string());
  const site = z.object({ environment: texts, volumes: texts });
  const file = z.object({ services: z.object({ site }) });
  return file.parse(parseYaml(read("compose.yaml"))).services.site;
}

/** The lines between a heading and the next one of its level. */
function sectionOf(file: string, heading: string): string[] {
  const [, section = ""] = read(file).split(`\n${heading}\n`);
  const [body = ""] = section.split("\n## ");
  return body.split("\n");
}

/** What stands in backticks. */
function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

/** What stands in backticks in the first cell of a table's row. */
function firstCellNames(line: string): string[] {
  const [before, cell = ""] = line.split("|");
  return before === "" ? namesIn(cell) : [];
}
