import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SECRET_BYTES = 32;

/**
 * The secret of this installation. It is created at the first start.
 * @throws Error in one sentence when the folder cannot be used
 */
export function readSessionSecret(dataDir: string): string {
  const file = join(dataDir, "session-secret");
  if (!existsSync(file)) createSecret(dataDir, file);
  const secret = readFileSync(file, "utf8").trim();
  if (secret.length < SECRET_BYTES) throw new Error(`${file} holds no secret: delete the file`);
  return secret;
}

/**
 * The file is written completely under a temporary name, then linked. Two processes that start at the
 * same time get the same secret, and a killed process leaves no half-written file.
 */
function createSecret(dataDir: string, file: string) {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(draft, randomBytes(SECRET_BYTES).toString("base64url"), {
    mode: 0o600,
    flag: "wx",
    flush: true,
  });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
