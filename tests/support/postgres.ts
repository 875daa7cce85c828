import { execFile, execFileSync, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./port";

const run = promisify(execFile);
const DEBIAN = "/usr/lib/postgresql";

/** Settings for speed without durability: the data is thrown away. */
const SETTINGS = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=200",
  "shared_buffers=32MB",
  "autovacuum=off",
  // Without statistics many a small statement looks costly enough to be compiled.
  "jit=off",
];

/**
 * Provides PostgreSQL in TEST_DATABASE_URL. If the variable is not set, a server is started; without
 * PostgreSQL on the machine its tests are skipped. Vitest calls this once.
 */
export async function setup() {
  if (process.env.TEST_DATABASE_URL) return undefined;
  const programs = findPrograms();
  if (!programs) {
    process.stdout.write("No PostgreSQL on this machine: its tests are skipped.\n");
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), "cap-celeste-pg-"));
  const owner = unprivilegedOwner(folder);
  const data = join(folder, "data");
  const port = await freePort();
  const options = [...SETTINGS, `unix_socket_directories=${folder}`, "listen_addresses=127.0.0.1"];
  const start = ["-o", [`-p ${port}`, ...options.map((setting) => `-c ${setting}`)].join(" ")];
  const account = ["-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"];
  await run(join(programs, "initdb"), ["-D", data, ...account], owner);
  const log = ["-l", join(folder, "log")];
  await run(join(programs, "pg_ctl"), ["-D", data, ...log, "-w", ...start, "start"], owner);
  // By its socket file: a statement over TCP costs both sides a third more.
  process.env.TEST_DATABASE_URL = `postgres://postgres@127.0.0.1:${port}/postgres?host=${folder}`;
  return async () => {
    await run(join(programs, "pg_ctl"), ["-D", data, "-m", "immediate", "stop"], owner);
    rmSync(folder, { recursive: true, force: true });
  };
}

function findPrograms(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort().reverse() : [];
  const inPath = (process.env.PATH ?? "").split(":");
  const folders = [...inPath, ...versions.map((version) => join(DEBIAN, version, "bin"))];
  const complete = (folder: string) =>
    existsSync(join(folder, "initdb")) && existsSync(join(folder, "pg_ctl"));
  return folders.find(complete) ?? null;
}

/** The user who runs PostgreSQL, which refuses to run as root: the package's own user. */
function unprivilegedOwner(folder: string): { uid?: number; gid?: number; cwd: string } {
  if (process.getuid?.() !== 0) return { cwd: folder };
  const user = spawnSync("id", ["-u", "postgres"]).status === 0 ? "postgres" : "nobody";
  const idOf = (flag: string) => Number(execFileSync("id", [flag, user], { encoding: "utf8" }));
  const owner = { uid: idOf("-u"), gid: idOf("-g") };
  chownSync(folder, owner.uid, owner.gid);
  return { ...owner, cwd: folder };
}
