import { expect, it } from "vitest";
import { read, sourcesBelow } from "./sources";

const sources = sourcesBelow("server/platform").map(read);

const namesIn = (pattern: RegExp) =>
  new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map(([, name = ""]) => name)));

it("each kind of job that is scheduled has a handler", () => {
  const scheduled = namesIn(/\benqueue\([^;]{0,200}?\bkind: ([A-Z_]+)/g);
  const handled = namesIn(/\[([A-Z_]+)\]:/g);
  expect(scheduled.size).toBeGreaterThan(20);
  expect([...scheduled].filter((kind) => !handled.has(kind))).toEqual([]);
});

it("a kind of job is named by a constant", () => {
  expect([...namesIn(/\benqueue\([^;]{0,200}?\bkind: (["'`][^"'`]*)/g)]).toEqual([]);
});
