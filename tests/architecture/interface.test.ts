import { expect, it } from "vitest";
import { COMMON_ERRORS } from "~/contract/endpoint";
import { endpoints } from "~/contract/endpoints";
import { read } from "./sources";

const common: readonly number[] = COMMON_ERRORS;

it("each call is listed with its answers", () => {
  const rows = read("docs/interface.md")
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter(([, call]) => /^`(?:GET|POST|PUT|DELETE) \//.test(call ?? ""))
    .map(([, call = "", , statuses = ""]) => `${call.replaceAll("`", "")}: ${statuses}`);
  const calls = Object.values(endpoints).map(({ method, path, answers, errors }) => {
    const declared = errors.filter((status) => !common.includes(status));
    return `${method} ${path}: ${[...Object.keys(answers), ...declared].join(", ")}`;
  });
  expect(rows.sort()).toEqual(calls.sort());
});
