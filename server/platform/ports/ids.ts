import { createHash, randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";

/** Sortable unique identifier (UUIDv7), as text. */
export const newUid = (): string => uuidv7();

/** The same identifier for the same parts, as a UUID of version 8; it sorts before those of `newUid`. */
export function derivedUid(...parts: readonly string[]): string {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return `00000000-0000-8${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}

/** 256 random bits for secrets in links, base64url. */
export const newSecret = (): string => randomBytes(32).toString("base64url");

/** Hashes the secret of a link. The database holds only the hash, which opens no link. */
export const hashSecret = (secret: string): string =>
  createHash("sha256").update(secret).digest("base64url");
