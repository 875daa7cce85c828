import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { RIGHTS } from "../../server/platform/payments/stripe/client";
import { EVENTS } from "../../server/platform/payments/stripe/events";

const guide = readFileSync("docs/stripe.md", "utf8");

/** The rows of the table with this head, as the texts of their cells. */
function rowsBelow(head: string): string[][] {
  const lines = guide.split("\n").map((line) => line.trim());
  const start = lines.findIndex((line) => line.startsWith(`| ${head} `));
  const table = lines.slice(start + 2);
  return table.slice(0, table.indexOf("")).map((row) => {
    const cells = row.split("|").slice(1, -1);
    return cells.map((cell) => cell.trim());
  });
}

/** `charge.dispute.created`, `.updated`: the second begins like the first. */
function eventsOf(cell: string): string[] {
  const names = cell.split(", ").map((name) => name.replaceAll("`", ""));
  const prefix = names[0]?.replace(/\.[^.]+$/, "") ?? "";
  return names.map((name) => (name.startsWith(".") ? `${prefix}${name}` : name));
}

it("the guide of Stripe lists every handled event", () => {
  const listed = rowsBelow("events").flatMap(([cell = ""]) => eventsOf(cell));
  expect(listed.toSorted()).toEqual(Object.keys(EVENTS).toSorted());
});

it("the guide of Stripe lists every checked right", () => {
  const listed = rowsBelow("resource").flatMap(([resources = "", right]) =>
    resources.split(", ").map((resource) => `${right} ${resource}`),
  );
  const checked = Object.entries(RIGHTS).flatMap(([right, resources]) =>
    Object.keys(resources).map((resource) => `${right} ${resource}`),
  );
  expect(listed).toEqual(checked);
});
