import { expect, it } from "vitest";
import { filesBelow, read } from "./sources";

const RULE = /\bR-\d+\.\d+\b/g;
const READ = /\.(?:[cm]?[jt]sx?|css|md|json)$/;

const rules = Array.from(
  read("docs/requirements.md").matchAll(/^- (R-[\d.]+) /gm),
  ([, rule]) => rule,
);

it("each cited rule exists in the requirements", () => {
  const files = ["app", "server", "public", "tests", "docs"].flatMap((folder) =>
    filesBelow(folder, READ),
  );
  const unknown = files.flatMap((file) => {
    const cited = read(file).match(RULE) ?? [];
    return cited.flatMap((rule) => (rules.includes(rule) ? [] : [`${file}: ${rule}`]));
  });
  expect(unknown).toEqual([]);
});

it("each rule stands on its own line", () => {
  expect(rules).toEqual([...new Set(rules)]);
});
