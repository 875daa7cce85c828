import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod/v4";
import { plain } from "./figures";
import { read, titlesIn } from "./sources";

/** Why no test proves a sentence. */
const REASONS = {
  definition: "says what the text or the service is, or where something stands",
  law: "states or quotes the law, or names the legal basis of a use",
  people: "kept by the people of the site, its host or its providers; no program does it",
  reader: "advises the reader or asks something of them",
};

/** What a sentence rests on: a reason, or the titles of the tests that prove it, by their file. */
const grounds = z.union([
  z.literal(["definition", "law", "people", "reader"] satisfies (keyof typeof REASONS)[]),
  z.record(z.string(), z.array(z.string()).min(1)),
]);
const DATA = "tests/architecture/promises.json";
const promises = z
  .record(z.string(), z.record(z.string(), z.record(z.string(), grounds)))
  .parse(JSON.parse(read(DATA)));

const PAGES = ["privacy", "terms-of-service"];
const segmenter = new Intl.Segmenter("fr", { granularity: "sentence" });

/** The words of a line of Markdown, without quotation, list, link and bold marks. */
const wordsOf = (line: string) =>
  line
    .replace(/^> ?/, "")
    .replace(/^(?:-|\d+\.) /, "")
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replaceAll("**", "")
    .replaceAll("\\", "");

const sentencesOf = (line: string) =>
  Array.from(segmenter.segment(wordsOf(line)), ({ segment }) => segment.trim()).filter(Boolean);

/** The sentences of a page below their headings: `[heading, sentence]`. The summary stands first. */
function sentencesBelowHeadings(name: string): [heading: string, sentence: string][] {
  const page = plain(read(`server/content/pages/${name}.md`));
  const {
    title = "",
    summary = "",
    text = "",
  } = /^---\ntitle: (?<title>.*)\nsummary: (?<summary>.*)\ndate: .*\n---\n(?<text>.*)$/s.exec(page)
    ?.groups ?? {};
  let heading = title;
  return [summary, ...text.split("\n")].flatMap((line) => {
    const [, next] = /^#+ (.*)$/.exec(line) ?? [];
    if (next === undefined)
      return sentencesOf(line).map((sentence): [string, string] => [heading, sentence]);
    heading = next;
    return [];
  });
}

const listed = (name: string): [heading: string, sentence: string][] =>
  Object.entries(promises[name] ?? {}).flatMap(([heading, sentences]) =>
    Object.keys(sentences).map((sentence): [string, string] => [heading, sentence]),
  );

const keyOf = ([heading, sentence]: [string, string]) => `${heading} | ${sentence}`;

describe.each(PAGES)("each sentence of %s", (name) => {
  const onPage = sentencesBelowHeadings(name);
  const inList = listed(name);

  it("is tied to its tests, or to the reason for none", () => {
    const known = new Set(inList.map(keyOf));
    const unknown = onPage.filter((entry) => !known.has(keyOf(entry)));
    expect(
      unknown.map(keyOf),
      `New or changed on the page. Find out whether the program does it and which tests prove that, ` +
        `then write the sentence with them into ${DATA} below its heading; ` +
        `where the program does nothing, with one of the reasons ${Object.keys(REASONS).join(", ")}.`,
    ).toEqual([]);
  });

  it("that is listed stands on the page", () => {
    const known = new Set(onPage.map(keyOf));
    const gone = inList.filter((entry) => !known.has(keyOf(entry)));
    expect(
      gone.map(keyOf),
      `No longer on the page in these words. If the program still does it, the page owes it to its ` +
        `readers: put the sentence back. Otherwise remove it from ${DATA}.`,
    ).toEqual([]);
  });

  it("stands in the list once, in the page's order", () => {
    expect(inList.map(keyOf)).toEqual(onPage.map(keyOf));
  });
});

const proofs = PAGES.flatMap((name) =>
  Object.values(promises[name] ?? {}).flatMap((sentences) =>
    Object.entries(sentences).flatMap(([sentence, grounds]) =>
      typeof grounds === "string"
        ? []
        : Object.entries(grounds).map(([file, titles]) => ({ sentence, file, titles })),
    ),
  ),
);

describe("a test that proves a promise", () => {
  it.each([...new Set(proofs.map(({ file }) => file))].sort())("exists in %s", (file) => {
    const titles = existsSync(file) ? titlesIn(file) : new Set<string>();
    const missing = proofs
      .filter((proof) => proof.file === file)
      .flatMap((proof) => proof.titles.map((title) => ({ title, sentence: proof.sentence })))
      .filter(({ title }) => !titles.has(title));
    expect(
      missing,
      `No such test. If it has another title or file now, name that in ${DATA}. ` +
        `If it was removed, nothing keeps the sentence any more: restore the test or correct the page.`,
    ).toEqual([]);
  });
});
