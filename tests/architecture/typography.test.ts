import { describe, expect, it } from "vitest";
import { z } from "zod/v4";
import { parseContent } from "../../server/platform/content/parse";
import { filesBelow, read } from "./sources";

const CATALOGUES = [
  ...filesBelow("app/locales/fr", /\.json$/),
  ...filesBelow("server", /\.fr\.json$/).filter((file) => !file.includes("/generate/")),
];

/** Faults and their patterns. French sets a non-breaking space before marks of two parts. */
const RULES: [name: string, fault: RegExp][] = [
  ["a typewriter's apostrophe", /\p{L}'/u],
  ["a breaking space before : ; ! ? » € %", / [:;!?»€%](?![)\w])/],
  ["no space before ; ! ? » or a colon", /[\p{L}\d)](?:[;!?»](?!\w)|:(?=\s|$))/u],
  ["a breaking space after «", /«(?![\u00A0\u202F])/],
  ["a typewriter's quotation marks", /"/],
  ["three dots in place of one sign", /\.\.\./],
];

/** Faults of texts on pages, whose lines a phone breaks anywhere it may. */
const RULES_OF_PAGES: [name: string, fault: RegExp][] = [
  ["a hyphen of e-mail that may break", /\be-mail/i],
  ["a breaking space between a count and its noun", /\{\{count\}\} \p{L}/u],
];

/** Their words stand in the proof of an order too, as they were shown. */
const WORDS_OF_ORDERS = "app/locales/fr/offer.json";

const tree: z.ZodType<unknown> = z.json();

function textsOf(node: unknown): string[] {
  if (typeof node === "string") return [node];
  return typeof node === "object" && node !== null ? Object.values(node).flatMap(textsOf) : [];
}

/** Removes what is no prose: placeholders, addresses, entities. */
const proseOf = (text: string) =>
  text.replace(/\{\{\w+\}\}/g, "x").replace(/https?:\/\/\S+|mailto:\S+/g, "x");

const faultsIn = (texts: readonly string[]) =>
  texts
    .map(proseOf)
    .flatMap((text) =>
      RULES.filter(([, fault]) => fault.test(text)).map(
        ([name, fault]) =>
          `${name}: ${text.slice(Math.max(0, text.search(fault) - 20)).slice(0, 50)}`,
      ),
    );

/** The sentences of a page without its markup. */
const sentencesOf = (html: string) =>
  html
    .replace(/<(?:pre|code)[^>]*>.*?<\/(?:pre|code)>/gs, "x")
    .split(/<\/?(?:p|li|h\d|td|th|blockquote|ul|ol|table|tr|dd|dt)[^>]*>/)
    .map((part) =>
      part
        .replace(/<[^<>]+>/g, "")
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&")
        .trim(),
    )
    .filter(Boolean);

describe("texts follow French typography", () => {
  it.each(CATALOGUES)("%s", (file) => {
    expect(faultsIn(textsOf(tree.parse(JSON.parse(read(file)))))).toEqual([]);
  });

  it.each(filesBelow("app/locales/fr", /\.json$/).filter((file) => file !== WORDS_OF_ORDERS))(
    "%s breaks no line within a word or after a count",
    (file) => {
      const texts = textsOf(tree.parse(JSON.parse(read(file))));
      const faults = RULES_OF_PAGES.flatMap(([name, fault]) =>
        texts.filter((text) => fault.test(text)).map((text) => `${name}: ${text}`),
      );
      expect(faults).toEqual([]);
    },
  );

  it("pages, articles and all other content", async () => {
    const { rows } = await parseContent("server/content");
    const { article, page, author, category, tag, media } = rows;
    const plain = [
      ...article.flatMap(({ title, summary }) => [title, summary]),
      ...page.flatMap(({ title, summary }) => [title, summary]),
      ...[...author, ...category, ...tag].map(({ name }) => name),
      ...media.map(({ title }) => title),
      ...category.flatMap(({ description }) => description ?? []),
    ];
    const html = [
      ...article.flatMap(({ opening, remainder }) => [opening, remainder]),
      ...page.map(({ body }) => body),
      ...author.map(({ biography }) => biography),
    ];
    expect(article.length).toBeGreaterThan(20);
    expect(faultsIn([...plain, ...html.flatMap(sentencesOf)])).toEqual([]);
  });
});
