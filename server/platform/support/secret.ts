import { createHash } from "node:crypto";

/** Links carry the secret, the database its hash: who reads the one cannot use the other. */
export const hashSecret = (secret: string) =>
  createHash("sha256").update(secret).digest("base64url");
