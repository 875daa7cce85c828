import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { expect, it } from "vitest";
import { MIGRATIONS } from "../../server/platform/database/migrate";
import digests from "./migrations.json";
import { importsOf, sourcesBelow } from "./sources";

const files = sourcesBelow("server/platform/database/migrations");
const nameOf = (file: string) => basename(file, ".ts");

/** They were never part of a release, and no later migration may take them. */
const UNUSED = [36, 37, 38];

it("each migration is listed, in the order of the names", () => {
  expect(Object.keys(MIGRATIONS)).toEqual(files.map(nameOf));
});

it.each(files)("%s runs under its own name", async (file) => {
  const { up } = (await import(/* @vite-ignore */ resolve(file))) as { up: unknown };
  expect(MIGRATIONS[nameOf(file)]?.up).toBe(up);
});

const LANDED = Object.entries(digests);

it.each(LANDED)("%s is the same as when it landed", (name, digest) => {
  const file = files.find((one) => nameOf(one) === name);
  expect(
    file && digestOf(file),
    `${name} has changed: databases have run it, so add a new migration instead`,
  ).toBe(digest);
});

it("each migration is entered with its digest", () => {
  const missing = files.filter((file) => !Object.hasOwn(digests, nameOf(file)));
  const entries = missing.map((file) => `"${nameOf(file)}": "${digestOf(file)}"`);
  expect(entries, "Enter this at the end of tests/architecture/migrations.json").toEqual([]);
});

const digestOf = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");

it("each number is taken once, and none is left out", () => {
  const numbers = files.map((file) => Number(/^(\d{4})-/.exec(nameOf(file))?.[1]));
  const last = Math.max(...numbers);
  const expected = Array.from({ length: last }, (_, index) => index + 1);
  expect(numbers).toEqual(expected.filter((number) => !UNUSED.includes(number)));
});

it.each(files)("%s needs nothing that may change after it", (file) => {
  expect(importsOf(file).filter((imported) => imported !== "kysely")).toEqual([]);
});
