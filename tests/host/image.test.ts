import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildImage, environment, startIn, type Image } from "../support/image";
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

  /** The site as the image starts it, until `use` is done. Everything in it must then have ended well. */
  async function running(
    command: string[],
    variables: Variables,
    use: (origin: string) => unknown,
  ) {
    const port = String(await freePort());
    const site = startIn(image, command, { ...variables, PORT: port });
    const output = textOf(site);
    const origin = `http://localhost:${port}`;
    try {
      await expect.poll(() => statusOf(`${origin}/readyz`), { interval: 100 }).toBe(200);
      await use(origin);
      site.kill("SIGTERM");
      expect(await exitOf(site), output()).toBe(0);
    } finally {
      site.kill("SIGKILL");
    }
  }

  it("has dependencies of less than 140 MB and no TypeScript", () => {
    const modules = join(image.root, "site/node_modules");
    expect(bytesBelow(modules)).toBeLessThan(DEPENDENCIES_BYTES);
    for (const tool of ["typescript", "vite", "vitest", "@remix-run/dev", "esbuild"]) {
      expect(existsSync(join(modules, tool)), tool).toBe(false);
    }
  });

  it("serves as another user without writing into its own files", async () => {
    await running(image.command, {}, async (origin) => {
      const { port } = new URL(origin);
      expect(await exitOf(startIn(image, image.healthcheck, { PORT: port }))).toBe(0);
      const home = await (await fetch(origin)).text();
      const [article] = home.match(/(?<=href=")\/article\/[^"]+/) ?? [""];
      const page = await fetch(origin + article);
      expect(page.status).toBe(200);
      const [shared] = (await page.text()).match(/(?<=og:image" content=")[^"]+/) ?? [""];
      const picture = await fetch(shared);
      expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
    });
  });

  it("is restored on a new machine by the commands of the handbook", async () => {
    const [backUp = [], cron = [], restore = []] = commandsBelow("## Backups");
    expect(cron.join()).toContain("npm run --silent backup -- -");
    const [install, ...bringBack] = restore;
    const { root: machine, ran } = image.stages.get("build") ?? { root: "", ran: [] };
    // Which the Dockerfile did there already.
    expect(install).toBe(ran.join(" && "));
    const inFolder = { cwd: join(machine, "site"), stdio: "pipe" } as const;
    const person = { identifier: "ada@example.org", password: "trois-petites-lunes" };
    await running(image.command, {}, async (origin) => {
      const body = { ...person, formula: "vip-mensuel" };
      expect(await statusOf(`${origin}/api/registrations/register`, body)).toBe(201);
      const containers = backUp.find((line) => line.startsWith("docker compose exec"));
      const inside = containers?.replace("docker compose exec -T site ", "") ?? "";
      const file = join(image.root, "data", "site.backup");
      const shell = ["sh", "-ec", inside.replace(/> \S+/, `> ${file}`)];
      expect(await exitOf(startIn(image, shell, {}))).toBe(0);
      cpSync(file, join(machine, "site", inside.split("> ")[1] ?? ""));
    });
    const secret = readFileSync(join(image.root, "data/session-secret"), "utf8").trim();
    const env = environment({ HOME: process.env.HOME, DATA_DIR: join(folder, "new") });
    const check = backUp.find((line) => line.includes("--check")) ?? "";
    execFileSync("sh", ["-ec", check], { ...inFolder, env });
    const start = bringBack.pop() ?? "";
    for (const command of bringBack) execFileSync("sh", ["-ec", command], { ...inFolder, env });
    const port = String(await freePort());
    const site = spawn("sh", ["-ec", `exec ${start.replace("SESSION_SECRET=… ", "")}`], {
      ...inFolder,
      env: { ...env, PORT: port, SESSION_SECRET: secret },
      detached: true,
    });
    try {
      const origin = `http://localhost:${port}`;
      await expect.poll(() => statusOf(`${origin}/readyz`), { interval: 100 }).toBe(200);
      expect(await statusOf(`${origin}/api/auth_check`, person)).toBe(200);
    } finally {
      if (site.pid) process.kill(-site.pid, "SIGKILL");
    }
  });
});

type Variables = Record<string, string>;

/** The lines of each `sh` block of a section of the handbook, without comments. */
function commandsBelow(heading: string): string[][] {
  const [, after = ""] = readFileSync("docs/operations.md", "utf8").split(`\n${heading}\n`);
  const [section = ""] = after.split("\n## ");
  return [...section.matchAll(/```sh\n([^]*?)```/g)].map(([, block = ""]) =>
    block
      .trim()
      .split("\n")
      .map((line) => (line.split(" # ")[0] ?? "").trim()),
  );
}

const statusOf = (address: string, body?: object) =>
  fetch(address, {
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json" },
  }).then(
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
