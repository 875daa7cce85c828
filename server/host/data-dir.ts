import { mkdirSync, mkdtempSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode, StartFault } from "./fault";

/** Writes for real: permission bits say nothing to root or about a read-only disk. */
export function checkDataDir(dataDir: string) {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    rmdirSync(mkdtempSync(join(dataDir, ".probe-")));
  } catch (error) {
    throw new StartFault(
      `DATA_DIR: cannot write to ${dataDir} (${errorCode(error)}); name a folder this user may write to`,
    );
  }
}
