import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { freePort } from "../support/port";

const hasTaskset = spawnSync("taskset", ["--version"]).status === 0;

/** What is said of the cores in the output. */
export const CORES = hasTaskset
  ? "server on core 0, client on core 1"
  : "not pinned: this machine has no taskset";

/** Keeps a process with all its threads on one core, where `taskset` exists. */
export function pin(pid: number | undefined, core: 0 | 1) {
  if (!hasTaskset || pid === undefined) return;
  execFileSync("taskset", ["-acp", String(core), String(pid)], { stdio: "ignore" });
}

/** Megabytes in memory: now, and the most since the start. NaN where the kernel does not tell it. */
export function memoryOf(pid: number | undefined) {
  const status = readStatus(pid);
  const read = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? NaN) / 1024;
  return { nowMb: read("VmRSS"), peakMb: read("VmHWM") };
}

function readStatus(pid: number | undefined) {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

/** The server of `constant.mjs` as a process. */
export async function startConstant() {
  const port = await freePort();
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    PORT: String(port),
    NODE_ENV: "production",
  };
  const child = spawn(process.execPath, ["tests/bench/constant.mjs"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return { port, pid: () => child.pid, stop: () => child.kill("SIGKILL") };
}
