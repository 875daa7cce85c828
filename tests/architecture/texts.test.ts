import ts from "typescript";
import { describe, expect, it } from "vitest";
import { plain } from "./figures";
import { filesBelow, parse, read, sourcesBelow, visit } from "./sources";

/** From which value of a contract the law has its proof kept for ten years (L213-1, D213-1). */
const LEGAL_AMOUNT = "120 €";
/** The name of the product is no text for the catalogues. */
const BRAND = /Cap Céleste/g;
const FRENCH = /[À-ÖØ-öø-ÿŒœ]/;
const WORD = /\p{L}{2,}/u;
const COLOUR = /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(/i;

const product = [...sourcesBelow("app"), ...sourcesBelow("server")];

describe("French text", () => {
  it("is found in no string of the code", () => {
    expect(product.flatMap((file) => textsOf(file, isString, FRENCH))).toEqual([]);
  });

  it("is found in no markup of the components", () => {
    expect(product.flatMap((file) => textsOf(file, ts.isJsxText, WORD))).toEqual([]);
  });
});

describe("an amount", () => {
  it("comes from the contract, and never from the text", () => {
    const texts = [
      ...filesBelow("app/locales", /\.json$/),
      ...filesBelow("server/platform", /\.fr\.json$/).filter((file) => !/identity-demo/.test(file)),
    ];
    expect(texts.length).toBeGreaterThan(20);
    const amounts = texts.flatMap(
      (file) => plain(read(file)).match(/(?<![\d\s,.])[\d\s,.]+(?:€|euros?\b)/g) ?? [],
    );
    const written = amounts.map((amount) => amount.replace(/^[\s,.]+/, ""));
    expect(new Set(written)).toEqual(new Set([LEGAL_AMOUNT]));
  });
});

describe("a colour outside tokens.css", () => {
  it("is defined in no style sheet", () => {
    const styles = filesBelow("app/styles", /\.css$/).filter(
      (file) => !file.endsWith("/tokens.css"),
    );
    const rules = (file: string) => read(file).replace(/\/\*[^]*?\*\//g, "");
    expect(styles.filter((file) => COLOUR.test(rules(file)))).toEqual([]);
  });

  it("is defined in no component, but the frame's, which is one of them", () => {
    const [frame = "none", ...others] = sourcesBelow("app").flatMap((file) =>
      textsOf(file, isString, COLOUR),
    );
    expect(others).toEqual([]);
    const colour = /#[0-9a-f]+/.exec(frame)?.[0] ?? frame;
    expect(read("app/styles/tokens.css")).toContain(`--navy: ${colour};`);
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
