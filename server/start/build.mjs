import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { hasSources, isFresh } from "./stamp.mjs";

/** Builds the site unless the build is there and up to date. */
export function ensureBuilt() {
  if (!hasSources() || isFresh()) return;
  if (!existsSync("node_modules/vite")) {
    if (existsSync("build/host/index.js")) return;
    fail("The site is not built and its build tools are missing; run: npm ci --include=dev");
  }
  process.stderr.write("Building the site, about half a minute…\n");
  const { status, stdout, stderr } = npm("run", "build");
  if (status !== 0)
    fail(`${stdout ?? ""}${stderr ?? ""}\nThe build failed; its messages are above`);
}

function npm(...args) {
  const options = { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 };
  const script = process.env.npm_execpath;
  return script
    ? spawnSync(process.execPath, [script, ...args], options)
    : spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
