import { createHash } from "node:crypto";

export const digestOfBytes = (bytes: Uint8Array) =>
  createHash("sha256").update(bytes).digest("hex");
