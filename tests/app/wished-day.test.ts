import { expect, it } from "vitest";
import { lastWishedDay } from "~/contract/day";

it.each([
  ["2028-02-29T12:00:00Z", "2031-02-28"],
  ["2026-11-26T12:00:00Z", "2029-11-26"],
  ["2026-12-31T23:30:00Z", "2030-01-01"],
])("the last day to cancel for on %s is %s", (now, day) => {
  expect(lastWishedDay(new Date(now))).toBe(day);
});
