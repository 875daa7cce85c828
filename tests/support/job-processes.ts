import { fork, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import type { TestPlatform } from "./platform";

/**
 * Starts several processes on the database of one platform. The embedded database locks per process,
 * so two platforms in one process would prove nothing.
 */
export async function startJobProcesses({ place, clock }: TestPlatform, count: number) {
  const folder = await bundle();
  const env = { ...process.env, DATABASE_URL: place.databaseUrl ?? "", DATA_DIR: place.dataDir };
  const children = Array.from({ length: count }, () =>
    fork(join(folder, "job-process.mjs"), { env, execArgv: [] }),
  );
  await Promise.all(children.map(next));
  return {
    /** Runs the due jobs in all processes at the same time. */
    async run() {
      const done = children.map(next);
      for (const child of children) child.send(clock.now().toISOString());
      await Promise.all(done);
    },
    stop() {
      for (const child of children) child.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Fails the test if a process ends instead of answering. */
function next(child: ChildProcess) {
  return new Promise<void>((resolve, reject) => {
    const end = (code: number | null) => reject(new Error(`A job process ended with ${code}`));
    child.once("exit", end);
    child.once("message", () => {
      child.off("exit", end);
      resolve();
    });
  });
}

/** The bundle lies inside the project, where Node finds the packages. */
async function bundle() {
  mkdirSync("build", { recursive: true });
  const outDir = mkdtempSync(join("build", "job-process-"));
  await build({
    configFile: false,
    logLevel: "error",
    build: {
      ssr: "tests/support/job-process.ts",
      outDir,
      target: "node20",
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: "[name].mjs" } },
      copyPublicDir: false,
    },
  });
  return outDir;
}
