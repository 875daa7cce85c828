import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endpoints } from "~/contract/endpoints";
import { openPlatform, type Platform } from "../../server/platform";
import { read, sourcesBelow } from "./sources";

const dataDir = mkdtempSync(join(tmpdir(), "cap-celeste-endpoints-"));
const silent = { info() {}, warn() {}, error() {} };
let platform: Platform;

beforeAll(async () => {
  platform = await openPlatform({
    dataDir,
    contentDir: "server/content",
    siteTitle: "Cap Céleste",
    secrets: ["a secret for tests only, long enough"],
    activationDelaySeconds: 0,
    log: silent,
    jobs: false,
  });
});
afterAll(async () => {
  await platform.close();
  rmSync(dataDir, { recursive: true });
});

/** Request lines in the tests, with `*` for parameters. */
const tested = sourcesBelow("tests/platform").flatMap((file) =>
  [...read(file).matchAll(/["'`](GET|POST|PUT|DELETE) (\/[^\s"'`?]*)/g)].map(
    ([, method, path]) => `${method} ${path?.replace(/\$\{[^}]*\}/g, "*")}`,
  ),
);

it("each call of the contract is served", async () => {
  const unserved = [];
  for (const { method, path } of Object.values(endpoints)) {
    if (!(await isServed(method, path))) unserved.push(`${method} ${path}`);
  }
  expect(unserved).toEqual([]);
});

it("each call that the platform serves has a test", async () => {
  const untested = [];
  for (const { method, path } of Object.values(endpoints)) {
    if (tested.some((line) => fits(line, `${method} ${path}`))) continue;
    if (await isServed(method, path)) untested.push(`${method} ${path}`);
  }
  expect(untested).toEqual([]);
});

async function isServed(method: string, path: string) {
  const url = `https://cap.example/api${path.replace(/\{type\}/, "coaching").replace(/\{\w+\}/g, "x")}`;
  const response = await platform.fetch(new Request(url, { method }));
  return !(await response.text()).includes("Unknown call");
}

function fits(line: string, endpoint: string) {
  const given = line.split("/");
  const wanted = endpoint.split("/");
  return (
    given.length === wanted.length &&
    wanted.every(
      (part, index) => part === given[index] || given[index] === "*" || part.startsWith("{"),
    )
  );
}
