import { expect, it } from "vitest";
import { read } from "./sources";

const { dependencies } = JSON.parse(read("package.json"));
const { packages } = JSON.parse(read("package-lock.json"));
const document = read("docs/advisories.md");

/** Each `name` with the version that its row states. */
const stated = [...document.matchAll(/`((?:@[\w-]+\/)?[\w.-]+)` (\d+\.\d+\.\d+)/g)].map(
  ([, name = "", version]) => ({ name, version }),
);

it("every dependency that ships was looked up", () => {
  const missing = Object.keys(dependencies).filter((name) => !document.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});

it("advisories were compared with the installed versions", () => {
  expect(stated.length).toBeGreaterThan(15);
  const other = stated.filter(
    ({ name, version }) => packages[`node_modules/${name}`]?.version !== version,
  );
  expect(other).toEqual([]);
});
