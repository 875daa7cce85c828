import { expect, it } from "vitest";
import { read } from "./sources";

/**
 * What the law wants in the contract whole (L215-4 of the consumer code): the articles, with the paragraphs that each
 * has in the version in force on 27 November 2026. Compare with the code once a year, and after each law on consumers.
 */
const ARTICLES = [
  ["L215-1", 5],
  ["L215-1-1", 3],
  ["L215-2", 1],
  ["L215-3", 1],
  ["L241-3", 1],
];

it("the terms quote each article on tacit renewal with all its paragraphs", () => {
  const [, section = ""] = read("server/content/pages/terms-of-service.md").split("\n## 7. ");
  const [own = ""] = section.split("\n## ");
  const quoted = own.split("\n").filter((line) => line.startsWith("> "));
  const counted = new Map<string, number>();
  let article = "";
  for (const paragraph of quoted) {
    article = /^> \*\*Article ([\w-]+)\.\*\*/.exec(paragraph)?.[1] ?? article;
    counted.set(article, (counted.get(article) ?? 0) + 1);
  }
  expect([...counted]).toEqual(ARTICLES);
});
