import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const FOLDER = "docs/decisions";
const INDEX = "README.md";

const read = (file: string) => readFileSync(`${FOLDER}/${file}`, "utf8");

it("the index names each decision by its number and title", () => {
  const files = readdirSync(FOLDER).filter((file) => file !== INDEX);
  const expected = files.sort().map((file) => {
    const [, number, title] = /^# (\d{4})[.:]? (.+)/.exec(read(file)) ?? [];
    return `- [${number} ${title}](${file})`;
  });
  expect(
    read(INDEX)
      .split("\n")
      .filter((line) => line.startsWith("- ")),
  ).toEqual(expected);
});
