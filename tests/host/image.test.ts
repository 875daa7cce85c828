import { once } from "node:events";
import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildImage, startIn, type Image } from "../support/image";
import { freePort } from "../support/port";

const BUILD_MS = 600_000;
const DEPENDENCIES_BYTES = 140e6;

describe("the image of the Dockerfile", () => {
  let folder: string;
  let image: Image;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "cap-celeste-image-"));
    chmodSync(folder, 0o755);
    image = buildImage(folder);
  }, BUILD_MS);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("has dependencies of less than 140 MB and no TypeScript", () => {
    const modules = join(image.root, "site/node_modules");
    expect(bytesBelow(modules)).toBeLessThan(DEPENDENCIES_BYTES);
    for (const tool of ["typescript", "vite", "vitest", "@remix-run/dev", "esbuild"]) {
      expect(existsSync(join(modules, tool)), tool).toBe(false);
    }
  });

  it("serves as another user without writing into its own files", async () => {
    const port = String(await freePort());
    const site = startIn(image, image.command, { PORT: port });
    const output = textOf(site);
    const origin = `http://localhost:${port}`;
    try {
      await expect.poll(() => statusOf(`${origin}/readyz`), { interval: 100 }).toBe(200);
      expect(await exitOf(startIn(image, image.healthcheck, { PORT: port }))).toBe(0);
      const home = await (await fetch(origin)).text();
      const [article] = home.match(/(?<=href=")\/article\/[^"]+/) ?? [""];
      const page = await fetch(origin + article);
      expect(page.status).toBe(200);
      const [shared] = (await page.text()).match(/(?<=og:image" content=")[^"]+/) ?? [""];
      const picture = await fetch(shared);
      expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
      const backup = ["node", "server/cli.mjs", "backup", join(image.root, "data/one.backup")];
      expect(await exitOf(startIn(image, backup, {}))).toBe(0);
      site.kill("SIGTERM");
      expect(await exitOf(site), output()).toBe(0);
    } finally {
      site.kill("SIGKILL");
    }
  });
});

const statusOf = (address: string) =>
  fetch(address).then(
    ({ status }) => status,
    () => 0,
  );

type Process = ReturnType<typeof startIn>;

async function exitOf(child: Process) {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

function textOf({ stdout, stderr }: Process) {
  let text = "";
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  }
  return () => text;
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0);
}
