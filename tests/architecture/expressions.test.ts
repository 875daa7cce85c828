import { ESLint } from "eslint";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { parse, sourcesBelow, visit } from "./sources";

const RULES = ["regexp/no-super-linear-backtracking", "regexp/no-super-linear-move"];

const eslint = new ESLint();
const product = [...sourcesBelow("app"), ...sourcesBelow("server")];

describe("a regular expression that backtracks", () => {
  it.each([
    ["bold type at both ends", String.raw`/^[*_\s]+|[*_\s]+$/g`],
    ["a separator of dashes", "/^-{2,}(.{1,60}?)-{2,}$/"],
    ["repeats within repeats", "/^(?:a+)+$/"],
    ["an address", String.raw`/(?:www\.)\S+|\S+@\S+/u`],
    ["one that is put together", 'new RegExp("(?:a|a)*b")'],
  ])("is refused by the rules: %s", async (_, expression) => {
    const text = `export const pattern = ${expression};\n`;
    const [result] = await eslint.lintText(text, { filePath: "server/platform/inbound/mail.ts" });
    const broken = result?.messages.map(({ ruleId }) => ruleId ?? "");
    expect(broken).toEqual(expect.arrayContaining([expect.stringMatching(RULES.join("|"))]));
  });

  it("is found in no file of the product", async () => {
    const unchecked = [];
    for (const file of product) {
      const { rules }: Linted = await eslint.calculateConfigForFile(file);
      if (RULES.some((rule) => rules?.[rule]?.[0] !== 2)) unchecked.push(file);
    }
    expect(unchecked).toEqual([]);
  });

  it("is hidden by no switched-off rule", () => {
    const silenced = product.filter((file) => isSilenced(parse(file).text));
    expect(silenced).toEqual([]);
    expect(isSilenced("// eslint-disable-next-line -- quick\n")).toBe(true);
    expect(isSilenced("/* eslint-disable */")).toBe(true);
    expect(isSilenced("// eslint-disable-next-line no-control-regex -- matched\n")).toBe(false);
  });
});

/** True for a comment that switches off a rule of expressions, or all rules because it names none. */
const isSilenced = (text: string) =>
  [...text.matchAll(/eslint-disable(?:-next-line|-line)?([^\n]*)/g)].some(([, names = ""]) => {
    const [named = ""] = names.split(/--|\*\//);
    return named.trim() === "" || named.includes("regexp/");
  });

type Linted = { rules?: Record<string, [number, ...unknown[]]> };

/** The rule reads an expression that is put together of constants, and no other. */
it("few files build regular expressions, from constants only", () => {
  const files = product.filter((file) => {
    let isMade = false;
    visit(parse(file), (node) => {
      const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
      isMade ||= isCall && node.expression.getText() === "RegExp";
    });
    return isMade;
  });
  expect(files).toEqual([
    "app/config/environment.server.ts",
    "server/platform/content/typography.ts",
    "server/platform/mail/sender.ts",
  ]);
});
