import { createHash } from "node:crypto";

/** Tells one intent from another without keeping it. */
export const digestOf = (parts: readonly unknown[]) =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
