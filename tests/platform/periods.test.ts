import { expect, it } from "vitest";
import type { DurationUnit } from "~/contract/subscriptions";
import { addDuration } from "~/contract/calendar";
import { firstPeriodEnd } from "~/contract/periods";

const end = (start: string, count: number, unit: DurationUnit) =>
  addDuration(new Date(start), count, unit).toISOString();

it.each([
  ["2027-01-31T09:00:00.000Z", 1, "month", "2027-02-28T09:00:00.000Z"],
  ["2028-01-31T09:00:00.000Z", 1, "month", "2028-02-29T09:00:00.000Z"],
  ["2027-01-31T09:00:00.000Z", 2, "month", "2027-03-31T08:00:00.000Z"],
  ["2027-11-30T09:00:00.000Z", 3, "month", "2028-02-29T09:00:00.000Z"],
  ["2028-02-29T09:00:00.000Z", 1, "year", "2029-02-28T09:00:00.000Z"],
  ["2028-02-29T09:00:00.000Z", 4, "year", "2032-02-29T09:00:00.000Z"],
  ["2026-12-28T09:00:00.000Z", 1, "week", "2027-01-04T09:00:00.000Z"],
] as const)("counts from %s %i %s to %s", (start, count, unit, expected) => {
  expect(end(start, count, unit)).toBe(expected);
});

it("a period keeps its Paris hour across summer time", () => {
  expect(end("2027-03-27T11:00:00.000Z", 1, "day")).toBe("2027-03-28T10:00:00.000Z");
  expect(end("2026-10-24T10:00:00.000Z", 1, "day")).toBe("2026-10-25T11:00:00.000Z");
});

it("a period counts days of Paris, not UTC", () => {
  // 1 March 00:30 in Paris is still February in Greenwich.
  expect(end("2027-02-28T23:30:00.000Z", 1, "month")).toBe("2027-03-31T22:30:00.000Z");
});

it("a skipped hour moves by the gap", () => {
  expect(end("2027-03-27T01:30:00.000Z", 1, "day")).toBe("2027-03-28T01:30:00.000Z");
});

it("a repeated hour means its first occurrence", () => {
  expect(end("2026-10-24T00:30:00.000Z", 1, "day")).toBe("2026-10-25T00:30:00.000Z");
});

it("the first period ends with the trial if any", () => {
  const start = new Date("2026-11-20T10:00:00.000Z");
  const trial = { duration: 7, unit: "day" } as const;
  const period = { duration: 1, unit: "month" } as const;
  expect(firstPeriodEnd(start, { trial, period }).toISOString()).toBe("2026-11-27T10:00:00.000Z");
  expect(firstPeriodEnd(start, { trial: null, period }).toISOString()).toBe(
    "2026-12-20T10:00:00.000Z",
  );
});
