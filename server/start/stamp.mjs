import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const STAMP = "build/stamp";
const SOURCES = [
  "app",
  "public",
  "server",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "vite.config.ts",
  "vite.server.config.ts",
];
/** Read when the site runs, not when it is built. */
const NOT_BUILT = "server/content";

/** An installed copy may come without its sources: what is built is then all there is. */
export const hasSources = () => existsSync("vite.server.config.ts");

/** Whether the build was made of exactly these sources. */
export function isFresh() {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint();
}

export function writeStamp() {
  writeFileSync(STAMP, fingerprint());
}

function fingerprint() {
  const hash = createHash("sha256");
  for (const file of SOURCES.flatMap(filesOf).sort()) {
    hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

function filesOf(path) {
  if (!existsSync(path) || path === NOT_BUILT) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesOf(join(path, name)));
}
