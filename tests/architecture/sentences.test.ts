import { describe, expect, it } from "vitest";
import { z } from "zod/v4";
import { filesBelow, read } from "./sources";

/** What readers of any schooling take in at once. Legal pages, whose words the law chooses, are content. */
const MOST_WORDS = 12;

const tree: z.ZodType<unknown> = z.json();

function textsOf(node: unknown): string[] {
  if (typeof node === "string") return [node];
  return typeof node === "object" && node !== null ? Object.values(node).flatMap(textsOf) : [];
}

/** The sentences of a text. What ends without a mark is a title or a label, and would flatter the average. */
const sentencesOf = (text: string) =>
  text
    .replace(/<[^<>]+>/g, " ")
    .replace(/\{\{\w+\}\}/g, "Nom")
    .split(/(?<=[.!?…])\s+(?=[«\p{Lu}])|\n+/u)
    .filter((sentence) => /[.!?…:;][\s»)]{0,3}$/.test(sentence));

const wordsOf = (sentence: string) =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;

function averageOf(files: readonly string[]) {
  const texts = files.flatMap((file) => textsOf(tree.parse(JSON.parse(read(file)))));
  const lengths = texts.flatMap(sentencesOf).map(wordsOf);
  expect(lengths.length).toBeGreaterThan(500);
  return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}

describe("a sentence has at most twelve words on average", () => {
  it.each([
    ["on pages, in forms and notices", filesBelow("app/locales/fr", /\.json$/)],
    ["in mails", filesBelow("server/platform/mail", /\/letters[^/]*\.fr\.json$/)],
  ])("%s", (_, files) => {
    expect(averageOf(files)).toBeLessThanOrEqual(MOST_WORDS);
  });
});
