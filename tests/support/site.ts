import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refuseCardTraces } from "./card-traces";
import { refuseStaleBuild } from "./fresh-build";
import { freePort } from "./port";

const READY_MS = 60_000;
const HOST = "build/host/index.js";

type Variables = Record<string, string | undefined>;

/** The built site as a process, with its own port and data folder. */
export type Site = {
  origin: string;
  dataDir: string;
  /** Id of the running process. Undefined after it has ended for any reason. */
  pid(): number | undefined;
  /** All output so far, restarts included. */
  output(): string;
  /** Asks the process to stop (`SIGTERM`), and resolves to its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Kills the process (`kill -9`). */
  kill(): Promise<void>;
  /** Starts the site again with the same port and data. */
  restart(variables?: Variables): Promise<void>;
  /** Stops the site, searches its output for card numbers, and removes its data. */
  remove(): Promise<void>;
};

export async function startSite(variables: Variables = {}): Promise<Site> {
  refuseStaleBuild();
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const dataDir = mkdtempSync(join(tmpdir(), "cap-celeste-site-"));
  const output: string[] = [];
  const own = { PORT: String(port), DATA_DIR: dataDir };
  let child: ChildProcess;
  const restart = async (more: Variables = {}) => {
    child = spawnHost({ ...own, ...variables, ...more }, output);
    await ready(child, origin, output);
  };
  const stop = (signal: NodeJS.Signals = "SIGTERM") => stopProcess(child, signal);
  await restart();
  return {
    origin,
    dataDir,
    pid: () => (hasEnded(child) ? undefined : child.pid),
    output: () => output.join(""),
    stop,
    kill: async () => void (await stop("SIGKILL")),
    restart,
    async remove() {
      await stop("SIGKILL");
      try {
        refuseCardTraces(dataDir, output.join(""));
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  };
}

/** Runs the host until it ends by itself: for starts that must fail. */
export async function runHost(variables: Variables) {
  const stderr: string[] = [];
  const child = spawnHost(variables, [], stderr);
  const timer = setTimeout(() => child.kill("SIGKILL"), READY_MS);
  await once(child, "close");
  clearTimeout(timer);
  return { code: child.exitCode, stderr: stderr.join("") };
}

/** The variables that a process needs. Others of this machine must not reach the site. */
function spawnHost(variables: Variables, output: string[], stderr = output) {
  const { PATH } = process.env;
  // Nobody passes visitors on to the sites of most tests.
  const own = { DRAIN_DELAY: "0", ...variables };
  const env: NodeJS.ProcessEnv = { NODE_ENV: "production", ...own, PATH };
  const child = spawn(process.execPath, [HOST], { env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.setEncoding("utf8").on("data", (text: string) => output.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => stderr.push(text));
  return child;
}

async function ready(child: ChildProcess, origin: string, output: string[]) {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`${origin}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill("SIGKILL");
  throw new Error(`The site did not start:\n${output.join("")}`);
}

async function stopProcess(child: ChildProcess, signal: NodeJS.Signals) {
  if (!hasEnded(child)) {
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
  return child.exitCode;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null;
