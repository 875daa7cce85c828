import { expect, it } from "vitest";
import { COMMON_ERRORS } from "~/contract/endpoint";
import { endpoints } from "~/contract/endpoints";
import { read } from "./sources";

const common: readonly number[] = COMMON_ERRORS;

it("each call stands in the interface as it answers", () => {
  const rows = Array.from(
    read("docs/interface.md").matchAll(/^\| `([A-Z]+ \/\S*)` +\|[^|]*\| ([\d, ]+?) *\|$/gm),
    ([, line, statuses]) => `${line}: ${statuses}`,
  );
  const calls = Object.values(endpoints).map(({ method, path, answers, errors }) => {
    const declared = errors.filter((status) => !common.includes(status));
    return `${method} ${path}: ${[...Object.keys(answers), ...declared].join(", ")}`;
  });
  expect(rows.sort()).toEqual(calls.sort());
});
