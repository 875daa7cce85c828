import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../server/platform/content/markdown";
import { applyTypography } from "../../server/platform/content/typography";

/** No-break spaces made visible: `_` is U+00A0, `·` is U+202F. */
const shown = (text: string) => text.replaceAll("\u00A0", "_").replaceAll("\u202F", "·");
const set = (text: string) => shown(applyTypography(text));
const html = (markdown: string) => shown(renderMarkdown(markdown).html);

const sentences: [string, string][] = [
  ["Quoi ? Oui ! Non ; si : là", "Quoi·? Oui·! Non·; si_: là"],
  ["Quoi? Oui! Non; si: là ?!", "Quoi·? Oui·! Non·; si_: là·?!"],
  ["« Oui », dit-il. «Non.»", "«_Oui_», dit-il. «_Non._»"],
  ["L'eau d'aujourd'hui...", "L’eau d’aujourd’hui…"],
  ["10% de 20 €, 5 km en 18 h 30 min", "10·% de 20_€, 5_km en 18_h_30_min"],
  ["26 000 et 1 000 000, en 1781 200 fois", "26·000 et 1·000·000, en 1781 200 fois"],
  ["À 10:15 (!), 3 m’a plu, 12 s'est", "À 10:15 (!), 3 m’a plu, 12 s’est"],
  ["https://a.fr/?b;c!d ou a@b.fr ; fin", "https://a.fr/?b;c!d ou a@b.fr·; fin"],
];

describe("French typography", () => {
  test.each(sentences)("sets %s", (text, expected) => {
    expect(set(text)).toBe(expected);
  });

  test.each(sentences)("applied twice changes %s once", (text) => {
    expect(applyTypography(applyTypography(text))).toBe(applyTypography(text));
  });

  test("covers emphasis, links and images", () => {
    expect(html("l'*eau*! **Quoi** ?")).toBe("<p>l’<em>eau</em>·! <strong>Quoi</strong>·?</p>");
    expect(html("[« là »](/a?b:c)")).toBe('<p><a href="/a?b:c">«_là_»</a></p>');
    expect(html("[« a »](/b), c et « *d* » ; e")).toBe(
      '<p><a href="/b">«_a_»</a>, c et «_<em>d</em>_»·; e</p>',
    );
    expect(html("![L'eau !](/medias/a.svg)")).toContain('alt="L’eau·!"');
  });

  test("leaves code and addresses as they are", () => {
    expect(html("`a ? b : 'c'...`")).toBe("<p><code>a ? b : 'c'...</code></p>");
    expect(html("```\na ? b!\n```")).toBe("<pre><code>a ? b!\n</code></pre>");
    expect(html("<https://a.fr/l'eau?b>")).toContain(">https://a.fr/l'eau?b</a>");
  });
});

describe("Markdown", () => {
  test("never lets raw HTML or scripts through", () => {
    const { html: safe } = renderMarkdown('<script>x</script> <b onclick="x">y</b>');
    expect(safe).not.toMatch(/<script|<b /);
  });

  test.each([
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:x)",
    "[a](http://a.fr)",
    "[a](//a.fr)",
    "[a](mailto:a@b.fr)",
    "[a](data:text/html,x)",
    "<http://a.fr>",
    "[a]\n\n[a]: http://a.fr",
    "![a](http://a.fr/a.png)",
    "![a](/other/a.svg)",
    "![a](/medias/../a.svg)",
    "![a](/medias/%2E%2e/a.svg)",
    "![a](data:image/png;base64,x)",
    "![](/medias/a.svg)",
    "# Un titre",
  ])("reports %s and drops its address", (markdown) => {
    const { html: safe, faults } = renderMarkdown(`Avant\n\n${markdown}`);
    expect(faults).toMatchObject([{ line: 3 }]);
    expect(safe).not.toMatch(/(?:href|src)="(?!"|\/medias\/a\.svg)/);
  });

  test.each(["[a](/articles)", "[a](https://a.fr)", "![a](/medias/a.svg)", "![a](https://a.fr/b)"])(
    "keeps %s unchanged",
    (markdown) => expect(renderMarkdown(markdown).faults).toEqual([]),
  );

  test("counts the line inside a paragraph", () => {
    const { faults } = renderMarkdown("un\ndeux\n[trois](http://a.fr)");
    expect(faults).toMatchObject([{ line: 3 }]);
  });

  test("carries no inline style for table columns", () => {
    expect(html("| a | b |\n|:--|--:|\n| 1 | 2 |")).not.toContain("style");
  });
});
