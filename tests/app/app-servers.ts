import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/port";
import { startSite } from "../support/site";

const READY_MS = 60_000;
const POLL_MS = 100;

type Variables = Record<string, string>;
type Mode = "production" | "development";
export type AppServer = { origin: string; remove(): Promise<void> };

/** The ways to run the app (architecture, "Remix"), each as a process of its own. */
export const appServers: Record<string, (variables: Variables) => Promise<AppServer>> = {
  "the host": startSite,
  "remix-serve": (variables) =>
    startProcess("production", variables, () => [
      "node_modules/@remix-run/serve/dist/cli.js",
      "build/server/index.js",
    ]),
  "remix vite:dev": (variables) =>
    startProcess("development", variables, (port) => [
      "node_modules/@remix-run/dev/dist/cli.js",
      "vite:dev",
      "--port",
      port,
      "--strictPort",
    ]),
};

async function startProcess(
  mode: Mode,
  variables: Variables,
  programFor: (port: string) => string[],
): Promise<AppServer> {
  const port = String(await freePort());
  const dataDir = mkdtempSync(join(tmpdir(), "cap-celeste-app-"));
  const { PATH } = process.env;
  const own = { PATH, PORT: port, DATA_DIR: dataDir, NODE_ENV: mode };
  const child = spawn(process.execPath, programFor(port), {
    env: { ...variables, ...own },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => output.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => output.push(text));
  const running = () => child.exitCode === null && child.signalCode === null;
  const remove = async () => {
    if (running()) {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    rmSync(dataDir, { recursive: true, force: true });
  };
  const origin = `http://localhost:${port}`;
  if (await answers(`${origin}/login`, running)) return { origin, remove };
  await remove();
  throw new Error(`The app did not start:\n${output.join("")}`);
}

/** Repeats the request until the server answers. */
async function answers(url: string, running: () => boolean): Promise<boolean> {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline && running()) {
    const signal = AbortSignal.timeout(READY_MS);
    const answer = await fetch(url, { signal }).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}
