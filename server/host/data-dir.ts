import { mkdirSync, mkdtempSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode, StartFault } from "./fault";

/** Checks by writing: permission bits do not show a read-only disk and do not bind root. */
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
