import { builtinModules } from "node:module";
import ts from "typescript";
import { expect, it } from "vitest";
import { filesBelow, read } from "./sources";

const { dependencies } = JSON.parse(read("package.json"));

/** The image is built with `npm ci --omit=dev`: nothing else is there when the site runs. */
const shipped = ["build/server", "build/host"].flatMap((folder) => filesBelow(folder, /\.js$/));

it("the build imports installed dependencies only", () => {
  const missing = shipped.flatMap((file) =>
    importedBy(file)
      .filter((name) => !(name in dependencies) && !builtinModules.includes(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(shipped.length).toBeGreaterThan(1);
  expect(missing).toEqual([]);
});

it("crypto-js and the framework's own server do not ship", () => {
  const names = shipped.flatMap(importedBy);
  for (const name of ["crypto-js", "remix-utils", "@remix-run/serve"]) {
    expect(names).not.toContain(name);
    expect(dependencies).not.toHaveProperty([name]);
  }
});

it("the browser gets no zod schemas", () => {
  const scripts = filesBelow("build/client/assets", /\.js$/).map(read);
  expect(scripts.length).toBeGreaterThan(1);
  expect(scripts.filter((script) => /new Function\(|ZodError/.test(script))).toEqual([]);
});

/** Packages, without the paths inside them. */
function importedBy(file: string): string[] {
  return ts
    .preProcessFile(read(file))
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => !/^(?:\.|node:)/.test(name))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
}
