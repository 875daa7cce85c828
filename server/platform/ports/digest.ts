import { createHash } from "node:crypto";

/** Hashes a request to compare it with a later one without storing its content. */
export const digestOf = (parts: readonly unknown[]) =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
