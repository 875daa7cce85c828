import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** What an image runs, as its last stage says. */
export type Image = {
  /** Its file system: `/site` of the image is `site` below it. */
  root: string;
  env: Record<string, string>;
  command: string[];
  healthcheck: string[];
  /** Every stage by its name, with what it ran. */
  stages: Map<string, { root: string; ran: string[] }>;
};

type Step = { instruction: string; rest: string };
type Stage = { root: string; folder: string; env: Record<string, string>; ran: string[] };

/** Folders of the image that a command may name by an absolute path. */
const OWN_FOLDER = /(?<=[\s=]|^)\/(?=(?:site|data)\b)/g;
/** The image's user, whom a machine lacks: files belong to whoever runs the test, unless that is root. */
const IMAGE_USER = 1000;

/**
 * Carries out the steps of `Dockerfile` in their order, each stage in a folder of its own, with the commands as they
 * are written. It knows the instructions that the file has, and fails at any other. No container engine is needed.
 * @param into an empty folder
 */
export function buildImage(into: string): Image {
  const stages = new Map<string, Stage>();
  const image = { command: [] as string[], healthcheck: [] as string[] };
  const variables: Record<string, string> = {};
  let stage: Stage = { root: into, folder: "/", env: {}, ran: [] };
  for (const { instruction, rest } of stepsOf(readFileSync("Dockerfile", "utf8"))) {
    const words = rest.split(/\s+/);
    switch (instruction) {
      case "ARG":
        variables[rest.split("=")[0] ?? ""] = rest.slice(rest.indexOf("=") + 1);
        break;
      case "FROM": {
        const [base = "", , name = "last"] = words;
        if (!(base.slice(2, -1) in variables)) throw new Error(`FROM an unknown image: ${base}`);
        stage = { root: join(into, name), folder: "/", env: {}, ran: [] };
        stages.set(name, stage);
        mkdirSync(stage.root);
        break;
      }
      case "WORKDIR":
        stage.folder = rest;
        mkdirSync(join(stage.root, rest), { recursive: true });
        break;
      case "ENV":
        for (const word of words) {
          const [name = "", value = ""] = word.split("=");
          stage.env[name] = value.replace(OWN_FOLDER, `${stage.root}/`);
        }
        break;
      case "COPY":
        copy(words, stage, stages);
        break;
      case "RUN":
        run(rest, stage);
        stage.ran.push(rest);
        break;
      case "CMD":
        image.command = JSON.parse(rest) as string[];
        break;
      case "HEALTHCHECK":
        image.healthcheck = JSON.parse(rest.slice(rest.indexOf("CMD") + 3)) as string[];
        break;
      case "USER":
      case "VOLUME":
      case "EXPOSE":
        break;
      default:
        throw new Error(`An instruction that this test does not know: ${instruction}`);
    }
  }
  forbidWrites(join(stage.root, "site"));
  return { root: stage.root, env: stage.env, stages, ...image };
}

/** Starts a command in the image as a user that owns nothing but `/data`. */
export function startIn(
  image: Image,
  [command = "", ...rest]: string[],
  env: Record<string, string>,
): ChildProcess {
  const asRoot = process.getuid?.() === 0;
  return spawn(command, rest, {
    cwd: join(image.root, "site"),
    env: environment({ ...image.env, ...env }),
    stdio: ["ignore", "pipe", "pipe"],
    ...(asRoot && { uid: IMAGE_USER, gid: IMAGE_USER }),
  });
}

function stepsOf(file: string): Step[] {
  return file
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [instruction = ""] = line.split(" ", 1);
      return { instruction, rest: line.slice(instruction.length).trim() };
    });
}

function copy(words: string[], stage: Stage, stages: Map<string, Stage>) {
  const from = words[0]?.startsWith("--from=") ? words.shift()?.slice("--from=".length) : undefined;
  const to = words.pop() ?? "";
  const source = from === undefined ? "." : (stages.get(from)?.root ?? `no stage ${from}`);
  const target = resolve(join(stage.root, stage.folder), to);
  for (const word of words.flatMap((word) => (word === "." ? shownToBuild() : [word]))) {
    const isFolderOfMany = to.endsWith("/") || to === ".";
    const place = isFolderOfMany ? join(target, word.split("/").at(-1) ?? "") : target;
    mkdirSync(dirname(place), { recursive: true });
    cpSync(join(source, word), place, { recursive: true, verbatimSymlinks: true });
  }
}

/** What `.dockerignore` lets through: it hides everything and names what it shows. */
function shownToBuild(): string[] {
  const [all, ...shown] = readFileSync(".dockerignore", "utf8").trim().split("\n");
  if (all !== "*" || shown.some((line) => !line.startsWith("!"))) {
    throw new Error(".dockerignore is not a list of what is shown");
  }
  return shown.map((line) => line.slice(1));
}

function run(command: string, { root, folder, env }: Stage) {
  const inRoot = command
    .replace(OWN_FOLDER, `${root}/`)
    .replace(/-([og]) 1000\b/g, (_, of: string) => `-${of} ${idOf(of)}`);
  execFileSync("sh", ["-ec", inRoot], {
    cwd: join(root, folder),
    // As in an image: nothing of the process that runs the tests, such as its NODE_ENV. Packages are at hand.
    env: environment({
      HOME: process.env.HOME,
      npm_config_prefer_offline: "true",
      npm_config_cache: process.env.npm_config_cache,
      npm_config_registry: process.env.npm_config_registry,
      PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1",
      ...env,
    }),
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** NODE_ENV is there only if the image sets it, whatever the framework's types say. */
export const environment = (own: Partial<NodeJS.ProcessEnv>) =>
  ({ PATH: process.env.PATH, ...own }) as NodeJS.ProcessEnv;

function idOf(letter: string) {
  if (process.getuid?.() === 0) return IMAGE_USER;
  return letter === "o" ? process.getuid?.() : process.getgid?.();
}

function forbidWrites(folder: string) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) forbidWrites(path);
    else chmodSync(path, 0o444);
  }
  chmodSync(folder, 0o555);
}
