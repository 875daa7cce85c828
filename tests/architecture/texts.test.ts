import ts from "typescript";
import { describe, expect, it } from "vitest";
import { filesBelow, parse, read, sourcesBelow, visit } from "./sources";

/** The name of the product is no text for the catalogues. */
const BRAND = /Cap Céleste/g;
const FRENCH = /[À-ÖØ-öø-ÿŒœ]/;
const WORD = /\p{L}{2,}/u;
const COLOUR = /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(/i;

const product = [...sourcesBelow("app"), ...sourcesBelow("server")];

describe("French words are found in catalogues", () => {
  it("not in strings of code", () => {
    expect(product.flatMap((file) => textsOf(file, isString, FRENCH))).toEqual([]);
  });

  it("and no words are found in markup", () => {
    expect(product.flatMap((file) => textsOf(file, ts.isJsxText, WORD))).toEqual([]);
  });
});

describe("colours are defined in tokens.css", () => {
  it("not in other styles", () => {
    const styles = filesBelow("app/styles", /\.css$/).filter(
      (file) => !file.endsWith("/tokens.css"),
    );
    const rules = (file: string) => read(file).replace(/\/\*[^]*?\*\//g, "");
    expect(styles.filter((file) => COLOUR.test(rules(file)))).toEqual([]);
  });

  it("nor in components", () => {
    expect(sourcesBelow("app").flatMap((file) => textsOf(file, isString, COLOUR))).toEqual([]);
  });
});

function isString(node: ts.Node): node is ts.LiteralLikeNode {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node)
  );
}

function textsOf(
  file: string,
  isText: (node: ts.Node) => node is ts.LiteralLikeNode,
  wrong: RegExp,
) {
  const found: string[] = [];
  visit(parse(file), (node) => {
    if (!isText(node) || !wrong.test(node.text.replace(BRAND, ""))) return;
    found.push(`${file}: ${node.text.trim()}`);
  });
  return found;
}
